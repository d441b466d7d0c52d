/**
 * Says that the project cannot publish publicly yet, with the ways to do so: a card, a verified phone
 * number, or an unlisted address.
 */
import { useQuery } from '@tanstack/react-query'
import { CreditCard, EyeOff, Phone } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { PhoneForms } from '../verification/phone-forms.tsx'
import { verificationQuery } from '../verification/queries.ts'
import { usePublicTexts } from './public-texts.ts'

/** Whether a public site would be refused; false until it is known. */
export function useCannotBePublic(): boolean {
  const scope = useProjectScope()
  // Limited members do not see the verification, and create no sites.
  const enabled = scope.project.access === null
  const { data } = useQuery({ ...verificationQuery(scope), enabled })
  return data !== undefined && !data.phone_verified && !data.card
}

export interface PublicNoticeProps {
  /** The button that publishes at an unlisted address. */
  unlisted: ReactNode
}

export function PublicNotice({ unlisted }: PublicNoticeProps) {
  const t = usePublicTexts()
  const scope = useProjectScope()
  const [verifies, setVerifies] = useState(false)
  const { data } = useQuery(verificationQuery(scope))
  const sendsCodes = data?.can_send_codes === true
  const owns = scope.may('owner')
  const ways = [
    {
      name: 'card',
      icon: <CreditCard aria-hidden="true" />,
      about: scope.may('admin') ? t('card_about') : t('ask_admin'),
      action: scope.may('admin') && (
        <ButtonLink size="sm" to={scope.link('/billing')} hash="new">
          {t('card_action')}
        </ButtonLink>
      ),
    },
    {
      name: 'phone',
      icon: <Phone aria-hidden="true" />,
      about: !sendsCodes ? t('phone_by_operator') : owns ? t('phone_about') : t('ask_owner'),
      action: sendsCodes && owns && (
        <Button size="sm" onClick={() => setVerifies(true)}>
          {t('phone_action')}
        </Button>
      ),
    },
    {
      name: 'unlisted',
      icon: <EyeOff aria-hidden="true" />,
      about: t('unlisted_about'),
      action: unlisted,
    },
  ] as const
  return (
    <section
      role="note"
      aria-label={t('title')}
      className="rounded-xl border border-line bg-warn-soft p-5"
    >
      <h2 className="font-semibold">{t('title')}</h2>
      <p className="text-sm text-muted">{t('about')}</p>
      <ul className="mt-4 grid gap-4 sm:grid-cols-3">
        {ways.map(({ name, icon, about, action }) => (
          <li key={name} className="flex flex-col items-start gap-2">
            <h3 className="flex items-center gap-2 font-medium [&_svg]:size-4 [&_svg]:text-warn">
              {icon}
              {t(name)}
            </h3>
            <p className="flex-1 text-sm text-muted">{about}</p>
            {action}
          </li>
        ))}
      </ul>
      <Dialog
        open={verifies}
        onClose={() => setVerifies(false)}
        title={t('phone')}
        about={t('phone_about')}
      >
        <PhoneForms onVerified={() => setVerifies(false)} />
      </Dialog>
    </section>
  )
}

/** The notice in a form that chooses the visibility. */
export function PublicRefusal({ onUnlisted }: { onUnlisted(): void }) {
  const t = usePublicTexts()
  return (
    <PublicNotice
      unlisted={
        <Button size="sm" onClick={onUnlisted}>
          {t('unlisted_choose')}
        </Button>
      }
    />
  )
}
