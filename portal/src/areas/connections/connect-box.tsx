/** Instructions to connect an assistant: the URL, and the steps for each client. */
import { ExternalLink } from 'lucide-react'
import { defineTexts } from '../../language/texts.ts'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { CodeVariants } from '../../ui/display/code-block.tsx'

const useConnectTexts = defineTexts('connect', {
  en: {
    address: 'MCP address',
    clients: 'Clients',
    note: 'The first time, a page opens on which you decide what the AI tool may do.',
    local:
      'This server runs on your own machine. Claude and ChatGPT in a browser need its public address; the other clients work.',
    help: 'More clients, and what you decide',
    chat: 'Settings → Connectors → Add custom connector\n\n{{address}}',
    chatgpt: 'Settings → Apps & Connectors → Create\n\n{{address}}',
  },
  nl: {
    address: 'MCP-adres',
    clients: 'Programma’s',
    note: 'De eerste keer opent een pagina waarop u beslist wat de AI-tool mag.',
    local:
      'Deze server draait op uw eigen computer. Claude en ChatGPT in een browser hebben een openbaar adres nodig; de andere programma’s werken.',
    help: 'Meer programma’s, en wat u beslist',
    chat: 'Instellingen → Connectors → Aangepaste connector toevoegen\n\n{{address}}',
    chatgpt: 'Instellingen → Apps en connectors → Maken\n\n{{address}}',
  },
})

export function mcpAddress(): string {
  return `${location.origin}/mcp`
}

export function ConnectBox() {
  const t = useConnectTexts()
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)
  const address = mcpAddress()
  const server = { url: address }
  const variants = [
    { name: 'Claude', code: t('chat', { address }) },
    { name: 'ChatGPT', code: t('chatgpt', { address }) },
    { name: 'Claude Code', code: `claude mcp add --transport http homeport ${address}` },
    { name: 'Cursor', code: JSON.stringify({ mcpServers: { homeport: server } }, null, 2) },
    {
      name: 'VS Code',
      code: `code --add-mcp '${JSON.stringify({ name: 'homeport', type: 'http', ...server })}'`,
    },
    { name: 'Codex', code: `codex mcp add homeport --url ${address}` },
    { name: 'Gemini CLI', code: `gemini mcp add --transport http homeport ${address}` },
  ]
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-2 rounded-lg border border-line-strong bg-bg py-1 pr-1 pl-3.5">
        <div className="min-w-0 flex-1">
          <p className="text-xs text-faint">{t('address')}</p>
          <p className="truncate font-mono text-sm">{address}</p>
        </div>
        <CopyButton text={address} />
      </div>
      <CodeVariants variants={variants} label={t('clients')} />
      {isLocal && <p className="text-sm text-warn">{t('local')}</p>}
      <p className="text-sm text-muted">
        {t('note')}{' '}
        <a
          href="/docs/guides/connect"
          className="inline-flex items-center gap-1 text-accent underline underline-offset-3"
        >
          {t('help')}
          <ExternalLink className="size-3.5" aria-hidden="true" />
        </a>
      </p>
    </div>
  )
}
