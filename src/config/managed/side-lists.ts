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

  /** @param client whose lists they are */
  constructor(client: McpClient) {
    const { notifications$ } = client;
    this.prompts = new SideList({
      read: () => client.listPrompts(ANEW),
      live$: client.prompts$,
      notifications$,
      changed: 'notifications/prompts/list_changed',
      keeps: () => true,
    });
    this.resources = new SideList({
      read: () => client.listResources(ANEW),
      live$: client.resources$,
      notifications$,
      changed: RESOURCES_CHANGED,
      keeps: (resource) => !isApp(resource),
    });
    this.templates = new SideList({
      read: () => client.listResourceTemplates(ANEW),
      live$: client.resourceTemplates$,
      notifications$,
      changed: RESOURCES_CHANGED,
      keeps: (template) => !isApp(template),
    });
  }

  /** Lets go of what they follow. */
  close(): void {
    for (const list of [this.prompts, this.resources, this.templates]) list.close();
  }
}
