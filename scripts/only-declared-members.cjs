/**
 * A rule of ESLint: objects of pg and knex are used by the members that their type declarations name. It rejects what reaches
 * others: a cast of such an object to a type of ours, and the client of knex, which is declared as any, as anything else than
 * `Knex.Client`.
 */
const DECLARATIONS = /\/node_modules\/(@types\/pg|pg-pool|pg-protocol|knex|tarn)\//;

const isOfLibrary = (type) =>
  (type.getSymbol()?.declarations ?? []).some((one) => DECLARATIONS.test(one.getSourceFile().fileName));

const rule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { cast: 'Use the members of {{name}} that its type declares.' },
  },
  create(context) {
    const { parserServices, text } = context.sourceCode;
    return {
      TSAsExpression(node) {
        if (node.parent.type === 'TSAsExpression') return;
        let cast = node.expression;
        while (cast.type === 'TSAsExpression') cast = cast.expression;
        const isClient = cast.type === 'MemberExpression' && cast.property.name === 'client';
        const from = parserServices.getTypeAtLocation(cast);
        // A cast chooses one of the overloads that a function declares, and the compiler checks it.
        if (cast === node.expression && from.getCallSignatures().length > 0) return;
        if (!isOfLibrary(from) && !(isClient && (from.flags & 1) !== 0)) return; // 1: any
        if (isOfLibrary(parserServices.getTypeAtLocation(node))) return;
        context.report({ node, messageId: 'cast', data: { name: text.slice(...cast.range) } });
      },
    };
  },
};

module.exports = { rules: { 'only-declared-members': rule } };
