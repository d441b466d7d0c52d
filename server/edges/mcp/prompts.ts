/**
 * MCP prompts for common tasks, which a person picks in the chat. Each prompt gives the order of
 * the tools and the points at which to ask the user; how to use a tool is in the tool's own
 * description.
 */
import type { Prompt } from './tools/surface.ts'

interface Written {
  title: string
  description: string
  asks: readonly (readonly [name: string, description: string, required: boolean])[]
  lines(given: Readonly<Record<string, string>>): readonly string[]
}

const written: Readonly<Record<string, Written>> = {
  set_up_my_business: {
    title: 'Set up my business',
    description: 'Collections, an assistant and a first website for a business, step by step.',
    asks: [['business', 'What the business is and does, in a sentence or two.', true]],
    lines: ({ business = '' }) => [
      `Set up this project for my business: ${business}`,
      '1. Call get_state and tell me in two sentences what is there already. Change nothing that is.',
      '2. Ask me what you need to know and cannot guess: opening hours, what people ask for, who may be called.',
      '3. Propose the collections (such as bookings or messages) with their fields. After my yes, make them with collections.create.',
      '4. Configure the assistant with assistant_put: greeting, instructions, languages, opening hours and facts, only from what I told you.',
      '5. Offer a website, and a phone number with the assistant on it. Do neither before I say so.',
      'End with what works now, and what still needs me.',
    ],
  },
  publish_a_site: {
    title: 'Publish a site',
    description:
      'Writes a small website, shows it at an address nobody can guess, then publishes it.',
    asks: [
      ['about', 'What the site is for and what is on it.', true],
      ['slug', 'The first part of its address.', false],
    ],
    lines: ({ about = '', slug }) => [
      `Make a website: ${about}`,
      '1. Call get_state to see which sites there are. Read homeport://guides/forms if it has a form.',
      '2. Write plain HTML and CSS that work without a build: index.html first, every file complete. Pictures come from the media library (media.list), by their media_id; no file bytes through this chat.',
      `3. Publish it with sites_create${slug ? ` as "${slug}"` : ''} and visibility unlisted, give me the address, and ask what to change.`,
      '4. Change it with sites_publish and keep_others true, so that only changed files are sent.',
      '5. Make it public only after I say so.',
    ],
  },
  put_the_receptionist_on_my_number: {
    title: 'Put the receptionist on my number',
    description: 'A phone number that the assistant answers, tried with a simulated call.',
    asks: [['forward_to', 'A phone number in E.164 that rings first, if any.', false]],
    lines: ({ forward_to }) => [
      'Put the assistant on my phone number.',
      '1. Call get_state: is the assistant configured, and which numbers are there? If it is not configured, ask me for greeting, opening hours and what it should know, then use assistant_put.',
      '2. Without a number, order one with numbers.order. With a test key it is free; otherwise tell me the price and wait for my yes.',
      `3. Find numbers.put_call_plan with search_operations and set the plan: ${
        forward_to
          ? `ring ${forward_to} for twenty seconds, then the assistant (an ai_agent node).`
          : 'the assistant answers at once (one ai_agent node as the entry).'
      }`,
      '4. With a test key, find calls.simulate and call the number with two questions a customer would ask. Show me what was said, from calls_get.',
      '5. Tell me what the assistant did not know, and offer to add it as facts.',
    ],
  },
}

export const prompts: ReadonlyMap<string, Prompt> = new Map(
  Object.entries(written).map(([name, { title, description, asks, lines }]) => [
    name,
    {
      name,
      title,
      description,
      arguments: asks.map(([name, description, required]) => ({ name, description, required })),
      write: (given) => ({
        description,
        messages: [{ role: 'user', content: { type: 'text', text: lines(given).join('\n') } }],
      }),
    },
  ]),
)
