import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { Tool } from '../../protocol/schemas/index.js';
import type { CallFormat } from '../formats/index.js';
import { WayBack } from '../way-back.js';
import { joined, type Mount, type Place } from './mount.js';

const hashOf = (place: Place): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify([place.mount.prefix, place.name])))).slice(0, 8);

/** The tools of several mounts under their names, each name with an exact way back. */
export class Published {
  /** The same array as long as all the lists it is made of are the same. */
  readonly tools: readonly Tool[];
  readonly #places: ReadonlyMap<string, Place>;
  readonly #wayBack: WayBack;
  readonly #mounts: readonly Mount[];
  readonly #lists: readonly (readonly Tool[])[];

  /** Use {@link Published.of}, which makes nothing anew that is the same. */
  constructor(mounts: readonly Mount[], lists: readonly (readonly Tool[])[], separator: string) {
    this.#mounts = mounts;
    this.#lists = lists;
    const claims = new Map<string, { readonly tool: Tool; readonly place: Place }[]>();
    for (const [index, mount] of mounts.entries()) {
      for (const tool of lists[index] ?? []) {
        const place = { mount, name: tool.name };
        const name = joined(mount, separator, tool.name);
        const others = claims.get(name);
        if (others === undefined) claims.set(name, [{ tool, place }]);
        // Of two that one provider calls the same, the first is called.
        else if (!others.some((other) => other.place.mount === mount)) others.push({ tool, place });
      }
    }
    const places = new Map<string, Place>();
    const tools: Tool[] = [];
    for (const [name, claimed] of claims) {
      for (const { tool, place } of claimed) {
        // Two providers may come to one name by different prefixes: each is told apart, whichever came first.
        const own = claimed.length === 1 ? name : `${name}${separator}${hashOf(place)}`;
        if (places.has(own)) continue;
        places.set(own, place);
        tools.push({ ...tool, name: own });
      }
    }
    this.tools = tools;
    this.#places = places;
    this.#wayBack = new WayBack(places.keys());
  }

  /** What is published of these lists: `before`, if that is made of the same ones. */
  static of(
    mounts: readonly Mount[],
    lists: readonly (readonly Tool[])[],
    separator: string,
    before: Published | undefined,
  ): Published {
    const isSame =
      before !== undefined &&
      before.#mounts.length === mounts.length &&
      mounts.every((mount, index) => mount === before.#mounts[index] && lists[index] === before.#lists[index]);
    return isSame ? before : new Published(mounts, lists, separator);
  }

  /** The list that was given for a mount. */
  listOf(mount: Mount): readonly Tool[] | undefined {
    const index = this.#mounts.indexOf(mount);
    return index < 0 ? undefined : this.#lists[index];
  }

  place(name: string): Place | undefined {
    return this.#places.get(name);
  }

  rawName(name: string, format: CallFormat): string {
    return this.#wayBack.rawName(name, format);
  }
}

/** The tools of several mounts under their names. */
export const publishedTools = (
  mounts: readonly Mount[],
  lists: readonly (readonly Tool[])[],
  separator: string,
): readonly Tool[] => Published.of(mounts, lists, separator, undefined).tools;
