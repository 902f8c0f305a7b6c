import type { HttpResponse } from './engine.js';

/** The media type of a response, without its parameters and in lower case. RFC 9110, section 8.3.1. */
export const mediaTypeOf = (response: HttpResponse): string =>
  (response.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;
