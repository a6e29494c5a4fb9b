/** Reads XML on stdin, validates it against the schema whose path is the argument, and writes the errors as JSON. */
import { dirname } from 'node:path';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

const [schemaPath = ''] = process.argv.slice(2);
xmlRegisterFsInputProviders();
process.chdir(dirname(schemaPath));
const schema = XmlDocument.fromBuffer(readFileSync(schemaPath), { url: schemaPath });
const validator = XsdValidator.fromDoc(schema);
const document = XmlDocument.fromBuffer(await buffer(process.stdin));
let errors = [];
try {
  validator.validate(document);
} catch (error) {
  errors = [error.message, ...(error.details ?? []).map(({ message, line }) => `${line}: ${message}`)];
}
process.stdout.write(JSON.stringify(errors));
