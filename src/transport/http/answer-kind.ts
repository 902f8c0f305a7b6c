import type { HttpResponse } from './engine.js';

/** The media type of a response, without its parameters and in lower case. RFC 9110, section 8.3.1. */
export const mediaTypeOf = (response: HttpResponse): string => {
  const type = response.header('content-type') ?? '';
  // Nearly all are written so.
  if (type === 'application/json' || type === 'text/event-stream') return type;
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
};

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;
