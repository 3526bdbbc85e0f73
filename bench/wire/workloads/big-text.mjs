const paragraph = `function answer(request) {\n\treturn { id: request.id, result: "tin can" };\n}\n`;

/**
 * Text as tools return it: ASCII, with newlines and quotes to escape.
 *
 * @param {number} bytes of the text itself, before JSON escapes it
 */
export function bigText(bytes) {
  return paragraph.repeat(Math.ceil(bytes / paragraph.length)).slice(0, bytes);
}
