/**
 * The demo of the chat widget: the real script, with answers from a script in the page, or with the
 * assistant of a project whose public token the reader enters.
 */
import { html } from '../../html/html.ts'
import { toGuidePath, type DocsPage, type DocsSite, paths } from '../site.ts'

export function chatDemoPage({ base_url }: DocsSite): DocsPage {
  const { origin } = new URL(base_url)
  const guide = toGuidePath('chat-widget')
  return {
    path: paths.chat_demo,
    title: 'Demo of the chat',
    about: 'Try the chat widget, with prepared answers or with your own assistant.',
    main: html`<h1>Demo of the chat</h1>
      <p class="lead" id="chat-demo-state">
        The button of the chat is in the corner of this page. It needs JavaScript.
      </p>
      <p>
        This is the widget that <code>${origin}/widget.js</code> puts on any page. See
        <a href="${guide}">Chat on a website</a> for the script tag.
      </p>
      <h2 id="prepared">Prepared answers</h2>
      <p>
        Without a token, a script in this page plays the server: it has five answers, and nothing
        that you write leaves your browser. Try “When are you open?”, ask for a person, or switch
        your connection off and write.
      </p>
      <h2 id="own">Your own assistant</h2>
      <p>
        Create a public token with <code>${origin}</code> among its <code>allowed_origins</code> (<a
          href="${guide}#token"
          >how</a
        >), set the assistant up (<a href="${guide}#assistant">how</a>), and enter the token.
        Messages then reach your project, and count against the limits of the token.
      </p>
      <div id="chat-demo-token"></div>
      <script src="${paths.home}/assets/chat-demo.js" defer></script>`,
    markdown: [
      '# Demo of the chat',
      '',
      `Open ${origin}${paths.chat_demo} in a browser to try the chat widget: with prepared answers, or`,
      'with the assistant of a project whose public token you enter.',
      '',
    ].join('\n'),
  }
}
