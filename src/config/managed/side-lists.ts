import { identity } from 'rxjs';
import type { McpClient } from '../../bridge/index.js';
import type { Prompt, Resource, ResourceTemplate } from '../../protocol/schemas/index.js';
import { isApp } from './apps.js';
import { SideList } from './side-list.js';

const ANEW = { refresh: true } as const;
const RESOURCES_CHANGED = 'notifications/resources/list_changed';

/** What a server has beside its tools. */
export class SideLists {
  readonly prompts: SideList<Prompt>;
  readonly resources: SideList<Resource>;
  readonly templates: SideList<ResourceTemplate>;

  /**
   * @param client whose lists they are
   * @param strip takes out of an entry what only the host may say
   */
  constructor(client: McpClient, strip: <T>(entry: T) => T = identity) {
    const { notifications$ } = client;
    this.prompts = new SideList({
      read: () => client.listPrompts(ANEW),
      live$: client.prompts$,
      notifications$,
      changed: 'notifications/prompts/list_changed',
      keeps: () => true,
      strip,
    });
    this.resources = new SideList({
      read: () => client.listResources(ANEW),
      live$: client.resources$,
      notifications$,
      changed: RESOURCES_CHANGED,
      keeps: (resource) => !isApp(resource),
      strip,
    });
    this.templates = new SideList({
      read: () => client.listResourceTemplates(ANEW),
      live$: client.resourceTemplates$,
      notifications$,
      changed: RESOURCES_CHANGED,
      keeps: (template) => !isApp(template),
      strip,
    });
  }

  /** Lets go of what they follow. */
  close(): void {
    for (const list of [this.prompts, this.resources, this.templates]) list.close();
  }
}
