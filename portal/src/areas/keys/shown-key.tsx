/** A new key, shown once, with instructions to use it. */
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { CodeVariants } from '../../ui/display/code-block.tsx'
import { useKeyTexts } from './texts.ts'

export function ShownKey({ value: key }: { value: string }) {
  const t = useKeyTexts()
  const variants = [
    {
      name: t('try'),
      code: `curl ${location.origin}/api/v1/project \\\n  -H "Authorization: Bearer ${key}"`,
    },
    { name: '.env', code: `HOMEPORT_API_KEY=${key}` },
    {
      name: 'MCP',
      code: `claude mcp add --transport http homeport ${location.origin}/mcp --header "Authorization: Bearer ${key}"`,
    },
  ]
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-accent-soft py-2 pr-2 pl-4">
        <code className="min-w-0 flex-1 font-mono text-base break-all" data-testid="new-key">
          {key}
        </code>
        <CopyButton text={key} kind="secondary" />
      </div>
      <CodeVariants variants={variants} label={t('try')} />
    </div>
  )
}
