/** Visible ASCII, with spaces and tabs inside at most. RFC 9110, section 5.5. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;
const SENTINEL = /^=\?base64\?.*\?=$/s;

/** The UTF-8 of a text, a character for each byte: how a field carries what is not Latin-1. WHATWG Fetch, "byte sequence". */
export const byteString = (text: string): string => {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return binary;
};

/**
 * A mirrored value as a header can carry it: as it is where it is plain, else in Base64 between the protocol's marks;
 * so too what looks like those marks itself. MCP 2026-07-28 basic/transports/streamable-http, "Value Encoding".
 */
export const headerValue = (value: string): string =>
  PLAIN.test(value) && !SENTINEL.test(value) ? value : `=?base64?${btoa(byteString(value))}?=`;
