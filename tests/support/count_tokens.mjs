// Reads a JSON list of texts on the path given and prints the number of tokens of each by the o200k vocabulary.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [file, modules] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${modules}/index.js`));
const { encode } = require("gpt-tokenizer/encoding/o200k_base");
console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf8")).map((text) => encode(text).length)));
