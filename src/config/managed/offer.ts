import { BehaviorSubject, type Observable } from 'rxjs';
import type { Tool } from '../../protocol/schemas/index.js';
import { ManagedTools } from './managed-tools.js';
import type { Adoptable } from './terms.js';

/** Which tools are offered, as a text to compare. */
const filterOf = ({ allowedTools, blockedTools }: Adoptable): string => JSON.stringify([allowedTools, blockedTools]);

/** What is offered of a server's tools, and how: the part of its entry that may change while it runs. */
export class Offer {
  readonly #prefix: string;
  readonly #strip: ((tool: Tool) => Tool) | undefined;
  readonly #tools: BehaviorSubject<ManagedTools>;
  #terms: Adoptable;
  #list: readonly Tool[] | undefined;

  /** The tools by their names, now and after each change of what is offered. Never completes, never errors. */
  readonly tools$: Observable<ManagedTools>;

  /**
   * @param prefix what the names of the tools begin with
   * @param strip takes out of a tool what only the host may say
   */
  constructor(prefix: string, terms: Adoptable, strip?: (tool: Tool) => Tool) {
    this.#prefix = prefix;
    this.#strip = strip;
    this.#terms = terms;
    this.#tools = new BehaviorSubject(new ManagedTools(prefix, terms, strip));
    this.tools$ = this.#tools.asObservable();
  }

  /** What the entry says. */
  get terms(): Adoptable {
    return this.#terms;
  }

  /** The tools by their names. */
  get tools(): ManagedTools {
    return this.#tools.value;
  }

  /** What the server was found to have last. */
  get list(): readonly Tool[] | undefined {
    return this.#list;
  }

  /** The server was found to have these. */
  listed(list: readonly Tool[]): void {
    this.#list = list;
    this.tools.named(list);
  }

  /** From now on this is what the entry says. Where it offers the same tools, they stay as they are, and nobody is told. */
  adopt(terms: Adoptable): void {
    const isSame = filterOf(terms) === filterOf(this.#terms);
    this.#terms = terms;
    if (isSame) return;
    const tools = new ManagedTools(this.#prefix, terms, this.#strip);
    if (this.#list !== undefined) tools.named(this.#list);
    this.#tools.next(tools);
  }
}
