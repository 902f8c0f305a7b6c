const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether a text can be the name of a header field. RFC 9110, section 5.6.2. */
export const isFieldName = (text: string): boolean => TOKEN.test(text);
