import type { HttpResponse } from './engine.js';

/** Shorter ones are parts of words: without them a text would be full of holes, and tell what they are. */
const SHORTEST = 4;
/** The same of fields whose names do not say that they are secret. */
const SHORTEST_OTHER = 8;

const IS_SECRET = /auth|cookie|token|secret|key|proof|dpop|session|signature|password/i;
/** Fields that say nothing a server may not repeat. */
const IS_OPEN =
  /^(?:accept|content|sec|mcp|if)-|^(?:accept|user-agent|origin|referer|host|from|date|traceparent|tracestate)$/i;

/** The two of `Basic`, which stand in it encoded. RFC 7617. */
const basicOf = (credentials: string): readonly string[] => {
  try {
    return [atob(credentials), atob(credentials).split(':').slice(1).join(':')];
  } catch {
    return [];
  }
};

const secretsIn = ([name, value]: readonly [string, string]): readonly string[] => {
  const isSecret = IS_SECRET.test(name);
  if (!isSecret && (IS_OPEN.test(name) || value.length < SHORTEST_OTHER)) return [];
  const space = value.indexOf(' ');
  const rest = value.slice(space + 1);
  const isBasic = /^basic$/i.test(value.slice(0, Math.max(space, 0)));
  const parts =
    name.toLowerCase() === 'cookie' ? value.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1)) : [];
  return [value, rest, ...parts, ...(isBasic ? basicOf(rest) : [])];
};

/** A query may hold one, too. */
const secretsInQuery = (url: string): readonly string[] =>
  URL.canParse(url) ? [...new URL(url).searchParams.values()].filter(({ length }) => length >= SHORTEST_OTHER) : [];

const encoded = (text: string): readonly string[] => {
  const inUrl = encodeURIComponent(text);
  const inForm = new URLSearchParams([['', text]]).toString().slice(1);
  return [text, inUrl, inForm].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    // As a media type is told, and a host.
    form.toLowerCase(),
  ]);
};

/** Every form in which a server may repeat what it was sent and somebody keeps to himself: the longest first, since one may be a part of another. */
export const secretForms = (fields: Readonly<Record<string, string>>, url: string): readonly string[] => {
  const secrets = [...Object.entries(fields).flatMap(secretsIn), ...secretsInQuery(url)].filter(
    ({ length }) => length >= SHORTEST,
  );
  return [...new Set(secrets.flatMap(encoded))].sort((a, b) => b.length - a.length);
};

/**
 * What a server said, as it can be told: where it repeats a credential that went out with the request, plainly or as in a
 * URL, that is replaced.
 */
export const withoutSecrets = (said: string, response: HttpResponse, fields = response.sent): string =>
  fields === undefined || said === ''
    ? said
    : secretForms(fields, response.url).reduce((text, form) => text.replaceAll(form, '[token]'), said);
