/** The snippets of a new token to paste into a page. The server returns the token only once. */
import { Button, ButtonAnchor } from '../../ui/actions/button.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { DialogButtons } from '../../ui/overlays/dialog.tsx'
import { useTokenTexts } from './texts.ts'

export interface TokenMadeProps {
  chat_tag: string
  form_address: string
  onClose(): void
}

export function TokenMade({ chat_tag, form_address, onClose }: TokenMadeProps) {
  const t = useTokenTexts()
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock label={t('tag')} code={chat_tag} />
      <div>
        <p className="mb-1.5 text-sm text-muted">{t('policy_about')}</p>
        <CodeBlock label={t('policy')} code={writePolicy()} />
      </div>
      <div>
        <p className="mb-1.5 text-sm text-muted">{t('form_about')}</p>
        <CodeBlock label={t('form')} code={form_address} />
      </div>
      <DialogButtons>
        <ButtonAnchor href="/docs/guides/chat-widget">{t('guide')}</ButtonAnchor>
        <Button kind="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </DialogButtons>
    </div>
  )
}

/** The directives of a content security policy that allow the widget. */
function writePolicy(): string {
  return [`script-src ${location.origin};`, `connect-src ${location.origin};`].join('\n')
}
