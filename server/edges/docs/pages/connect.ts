/** The guide to connecting an assistant: for the person who allows it, and for who makes a program. */
import { limits } from '../../../contract/limits.ts'
import { scopeNames, scopes } from '../../../contract/scopes.ts'
import { shellBlock } from '../code-block.ts'
import { durationText, numberText } from '../describe/words.ts'
import { html, type Html } from '../html.ts'
import { pairTable } from '../pair-table.ts'
import { code } from '../prose.ts'
import { errorPath, paths, type Page, type Site } from '../site.ts'

export function connectPage(site: Site): Page {
  return {
    path: paths.connect,
    title: 'Connect an assistant',
    about: 'How a chat assistant or an agent gets into a project, and what a person decides.',
    main: html`<h1>Connect an assistant</h1>
      <p class="lead">
        An assistant that speaks MCP works with a project as you do over the API. It needs one
        address. You decide what it may do, and can end it at any time.
      </p>
      ${shellBlock('The address', `${originOf(site)}/mcp`)}
      <h2 id="steps">In a chat or on your computer</h2>
      ${steps(site)}
      <h2 id="decide">What you decide</h2>
      ${decisions()}
      <h2 id="end">Limiting and ending it</h2>
      ${ending()}
      <h2 id="trouble">If it does not work</h2>
      ${trouble(site)}
      <h2 id="programs">For whoever makes a program</h2>
      ${programs(site)}`,
  }
}

function originOf({ docs_url }: Site): string {
  return new URL(docs_url).origin
}

function steps(site: Site): Html {
  const address = `${originOf(site)}/mcp`
  return html`<p>
      In Claude, ChatGPT and other chats, add a custom connector with the address. In a program on
      your computer, add an MCP server:
    </p>
    ${shellBlock('Claude Code', `claude mcp add --transport http homeport ${address}`)}
    ${shellBlock('Cursor and others', JSON.stringify({ mcpServers: { homeport: { url: address } } }))}
    <p>
      The first time, a page opens on which you sign in and decide. Chats that run in somebody's
      cloud reach only addresses that are on the internet. A program that cannot open a page takes
      an API key instead, as ${code('Authorization: Bearer …')}.
    </p>`
}

function decisions(): Html {
  return pairTable(
    ['Question', 'What it means'],
    [
      [
        'Who asks',
        'The name is what the program calls itself. Look where the answer goes: that is who gets in. ' +
          'If you have not begun this yourself, cancel.',
      ],
      ['Which project', 'A connection is for one project. Connect again for another.'],
      [
        'Test or live',
        'In test mode nothing is real but sites and data. Live can be chosen where live keys could be ' +
          'made.',
      ],
      ['What it may look at', 'On where it was asked for.'],
      [
        'What it may also do',
        'Off unless you turn it on. What costs money or reaches other people waits for your approval, ' +
          'unless the assistant can ask you itself.',
      ],
      ['Only some sites', 'Then it works with those and what belongs to them.'],
      [
        'If somebody talks it into something',
        'Forms, calls and web pages can hold words that try to. They are marked for the assistant, and ' +
          'what deletes, costs money or reaches other people waits for you. Whatever else it may change, ' +
          'it could be talked into: leave that off where you do not need it.',
      ],
    ],
  )
}

function ending(): Html {
  return html`<p>
    Everything that is connected stands under Connections of the project, with when it was last
    used. You can give it less, and end it; owners and admins can limit it to some sites, and end
    those of others. All of it counts from the next request on. A connection may never do more than
    the person whose it is: it ends when they leave the team, and looks only when they may only
    look. One that is not used for ${durationText(limits.refresh_token_s)} ends by itself.
  </p>`
}

function trouble(site: Site): Html {
  const keys = html`an <a href="${errorPath('missing_scope')}">${code('missing_scope')}</a>`
  return html`<ul>
    <li>
      <b>The assistant says that it may not do something:</b> it got ${keys} error. Connect again,
      and turn on what it asks for.
    </li>
    <li>
      <b>The page says that the request is no longer open:</b> it waits for
      ${durationText(limits.oauth_request_s)}, in the browser that began it. Start again in the
      assistant.
    </li>
    <li>
      <b>It worked, and now it is refused:</b> somebody ended it, or what it held was used twice,
      which looks like theft. Connect again.
    </li>
    <li>
      <b>A chat in somebody's cloud finds nothing:</b> ${code(originOf(site))} has to be reachable
      from the internet, over https.
    </li>
  </ul>`
}

function programs(site: Site): Html {
  const origin = originOf(site)
  const reading = scopeNames.filter((name) => scopes[name].read_only)
  return html`<p>
      OAuth 2.1 as MCP has it. Begin at
      ${code(`${origin}/.well-known/oauth-protected-resource/mcp`)}, or with the
      ${code('WWW-Authenticate')} of a 401. A token is for ${code('/mcp')} and ${code('/api/v1')}
      alike: they are one audience, and ${code('resource')} may name either.
    </p>
    ${pairTable(
      ['Part', 'How it is here'],
      [
        ['Flow', 'Authorization code with PKCE, S256 only. The answer has iss.'],
        [
          'Who you are',
          'The https address of your metadata document as client_id, or POST /oauth/register. The same ' +
            `registration within ${durationText(limits.oauth_registration_repeated_s)} gives the same ` +
            'program; one that nobody connects is forgotten after ' +
            `${durationText(limits.oauth_registration_unused_s)}. invalid_client with 401 means: ` +
            'register again.',
        ],
        [
          'Addresses to come back to',
          'https, http on localhost, 127.0.0.1 or [::1] with any port, or one of an app. They must ' +
            `match exactly. ${numberText(limits.oauth_redirect_uris_max)} at most.`,
        ],
        [
          'Scopes',
          `Without any you ask for ${reading.join(' ')}. What the person allows counts, and stands in ` +
            'the answer with the tokens.',
        ],
        [
          'Access token',
          `hm_oat_ and 32 letters and digits, for ${durationText(limits.access_token_s)}. It may make as ` +
            'many requests as a key.',
        ],
        [
          'Refresh token',
          'Each works once, and gives another. Bringing one twice ends the connection, and so does ' +
            'bringing a code twice.',
        ],
        [
          'More scopes',
          '403 with error="insufficient_scope" names all scopes to ask for, those you have among them.',
        ],
        ['Ending it', 'POST /oauth/revoke with either token ends the connection.'],
      ],
    )}`
}
