import type { RequestMeta, ResultMeta, TaskMetadata } from './base.js';

/** A switch in a form. MCP 2026-07-28 client/elicitation; schema, `BooleanSchema`. */
export interface BooleanSchema {
  type: 'boolean';
  title?: string | undefined;
  description?: string | undefined;
  default?: boolean | undefined;
}

/** A line of text in a form. MCP 2026-07-28 schema, `StringSchema`. */
export interface StringSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  /** In characters. */
  minLength?: number | undefined;
  /** In characters. */
  maxLength?: number | undefined;
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  /** Revision 2025-11-25 and later. */
  default?: string | undefined;
}

/** A number in a form. MCP 2026-07-28 schema, `NumberSchema`. */
export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string | undefined;
  description?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  /** Revision 2025-11-25 and later. */
  default?: number | undefined;
}

/** One of several values, shown as they are. MCP 2026-07-28 schema, `UntitledSingleSelectEnumSchema`. */
export interface UntitledSingleSelectEnumSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  enum: string[];
  default?: string | undefined;
}

/** One of several values, each with a name for people. MCP 2026-07-28 schema, `TitledSingleSelectEnumSchema`. */
export interface TitledSingleSelectEnumSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  /** The value to send is `const`. */
  oneOf: { const: string; title: string }[];
  default?: string | undefined;
}

/**
 * One of several values, their names for people in a list beside them: the older way to write
 * {@link TitledSingleSelectEnumSchema}. MCP 2026-07-28 schema, `LegacyTitledEnumSchema`.
 */
export interface LegacyTitledEnumSchema {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  enum: string[];
  /** By position in `enum`. */
  enumNames?: string[] | undefined;
  default?: string | undefined;
}

/** Any number of several values, shown as they are. MCP 2026-07-28 schema, `UntitledMultiSelectEnumSchema`. */
export interface UntitledMultiSelectEnumSchema {
  type: 'array';
  title?: string | undefined;
  description?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items: { type: 'string'; enum: string[] };
  default?: string[] | undefined;
}

/** Any number of several values, each with a name for people. MCP 2026-07-28 schema, `TitledMultiSelectEnumSchema`. */
export interface TitledMultiSelectEnumSchema {
  type: 'array';
  title?: string | undefined;
  description?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  /** The value to send is `const`. */
  items: { anyOf: { const: string; title: string }[] };
  default?: string[] | undefined;
}

/** One field of a form that a server wants filled in. MCP 2026-07-28 client/elicitation; schema, `PrimitiveSchemaDefinition`. */
export type PrimitiveSchemaDefinition =
  | BooleanSchema
  | StringSchema
  | NumberSchema
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema
  | LegacyTitledEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema;

/** A server asks the user to fill in a form. MCP 2026-07-28 client/elicitation; schema, `ElicitRequestFormParams`. */
export interface ElicitRequestFormParams {
  /** Absent: `form`. */
  mode?: 'form' | undefined;
  /** What to show above the form. */
  message: string;
  /** The form: a flat object, one property a field. */
  requestedSchema: {
    [key: string]: unknown;
    type: 'object';
    properties: { [name: string]: PrimitiveSchemaDefinition };
    required?: string[] | undefined;
  };
  task?: TaskMetadata | undefined;
  _meta?: RequestMeta | undefined;
}

/**
 * A server asks the user to visit a page. Show the whole `url`, and get consent before opening it.
 * Revision 2025-11-25 and later. MCP 2026-07-28 client/elicitation; schema, `ElicitRequestURLParams`.
 */
export interface ElicitRequestURLParams {
  mode: 'url';
  /** Why the page is to be visited. */
  message: string;
  /**
   * Names the visit in `notifications/elicitation/complete`. Revision 2025-11-25 only: a 2026-07-28 server does not
   * send it. The type promises it all the same, to stay exchangeable with the official client's.
   */
  elicitationId: string;
  url: string;
  task?: TaskMetadata | undefined;
  _meta?: RequestMeta | undefined;
}

/** What a server asks the user for; `mode` tells which. MCP 2026-07-28 schema, `ElicitRequestParams`. */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/** What the user did about it. MCP 2026-07-28 client/elicitation, "Response Actions"; schema, `ElicitResult`. */
export interface ElicitResult {
  [key: string]: unknown;
  /** `accept`: the form is filled in, or the visit is agreed to; `decline`: an explicit no; `cancel`: dismissed without a choice. */
  action: 'accept' | 'decline' | 'cancel';
  /** The form's values, by field; with `accept` of a form only. Lists of texts: revision 2025-11-25 and later. */
  content?: { [name: string]: string | number | boolean | string[] } | undefined;
  _meta?: ResultMeta | undefined;
}
