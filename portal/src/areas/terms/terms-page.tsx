/** Asks the person to accept the terms of use, in place of the page that they opened. */
import { useAct } from '../../api/mutations.tsx'
import { api, read, type Schemas } from '../../api/client.ts'
import { defineTexts } from '../../language/texts.ts'
import { Logo } from '../../shell/logo.tsx'
import { signOut } from '../../shell/sign-out.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'

const useTermsTexts = defineTexts('terms', {
  en: {
    title: 'Accept the terms of use',
    title_new: 'The terms of use changed',
    about: 'To work with your projects, read and accept the terms of use of this service.',
    about_new: 'To go on, read and accept the new terms of use of this service.',
    read: 'Read the terms (version {{version}})',
    accept: 'Accept',
    accepted: 'You accepted the terms.',
    sign_out: 'Sign out',
  },
  nl: {
    title: 'Accepteer de gebruiksvoorwaarden',
    title_new: 'De gebruiksvoorwaarden zijn gewijzigd',
    about:
      'Lees en accepteer de gebruiksvoorwaarden van deze dienst om met uw projecten te werken.',
    about_new: 'Lees en accepteer de nieuwe gebruiksvoorwaarden van deze dienst om door te gaan.',
    read: 'Lees de voorwaarden (versie {{version}})',
    accept: 'Accepteren',
    accepted: 'U hebt de voorwaarden geaccepteerd.',
    sign_out: 'Uitloggen',
  },
})

export type Terms = NonNullable<Schemas['MeGetReply']['terms']>

export function TermsPage({ terms }: { terms: Terms }) {
  const t = useTermsTexts()
  const { version, url, accepted_before: isNew } = terms
  const title = t(isNew ? 'title_new' : 'title')
  const act = useAct({
    run: () => read(api.PUT('/me/terms', { body: { version } })),
    done: t('accepted'),
    refresh: [['me']],
  })
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>{title}</title>
      <div className="flex w-full max-w-md flex-col gap-6">
        <p className="flex items-center gap-2.5">
          <Logo />
          <span className="text-lg font-semibold tracking-tight">Homeport</span>
        </p>
        <Card>
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-2 text-muted">{t(isNew ? 'about_new' : 'about')}</p>
          <p className="mt-4">
            <a href={url} target="_blank" rel="noreferrer" className="font-medium underline">
              {t('read', { version })}
            </a>
          </p>
          <div className="mt-6 flex flex-wrap gap-2">
            <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
              {t('accept')}
            </Button>
            <Button onClick={signOut}>{t('sign_out')}</Button>
          </div>
        </Card>
      </div>
    </main>
  )
}
