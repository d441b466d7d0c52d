/**
 * Missing requirements, each with a link to the page where it is completed, or with the address of
 * the operator if only the operator can complete it.
 */
import { Link } from '@tanstack/react-router'
import { ArrowRight, Circle, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { defineTexts } from '../../language/texts.ts'
import type { Task } from './queries.ts'

/** The texts of the requirements of going live, by their codes. */
const useTaskTexts = defineTexts('go_live_tasks', {
  en: {
    live_project: 'This is the test project of a pair. Go live in its live project.',
    plan: 'Choose a plan with live numbers and payments: yours works in test mode only',
    provider: '{{task}}',
    company_details: 'Fill in the company',
    spending_cap: 'Set a monthly spending cap, which is never passed',
    payment_mandate: 'Top up the balance, or save a card',
    payment_authentication: 'Confirm a payment with the bank: top up once with a card',
    phone_verification: 'Verify the phone number of the owner',
    'level.company': 'Have the company checked',
    'level.full': 'Reach the level Full of the verification',
    operator: 'The operator of this server does this. Ask them.',
    operator_at: 'The operator of this server does this:',
  },
  nl: {
    live_project: 'Dit is het testproject van een paar. Ga live in het liveproject.',
    plan: 'Kies een abonnement met live nummers en betalingen: dat van u werkt alleen in testmodus',
    provider: 'Deze server is nog niet verbonden met een aanbieder hiervoor.',
    company_details: 'Vul het bedrijf in',
    spending_cap: 'Stel een maandlimiet in, die nooit wordt overschreden',
    payment_mandate: 'Waardeer het tegoed op, of bewaar een kaart',
    payment_authentication: 'Bevestig een betaling bij de bank: waardeer één keer op met een kaart',
    phone_verification: 'Verifieer het telefoonnummer van de eigenaar',
    'level.company': 'Laat het bedrijf controleren',
    'level.full': 'Bereik het niveau Volledig van de verificatie',
    operator: 'De beheerder van deze server doet dit. Vraag het hem of haar.',
    operator_at: 'De beheerder van deze server doet dit:',
  },
})

export interface TaskItem {
  task: Task
  /** The rails that need it, if it is not listed at its rail. */
  needed_by?: string
}

export interface RailTasksProps {
  items: readonly TaskItem[]
  /** Null if this installation has not configured one. */
  operator_email: string | null
}

const linkClass =
  'inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline'

export function RailTasks({ items, operator_email }: RailTasksProps) {
  return (
    <ul className="flex flex-col gap-3">
      {items.map(({ task, needed_by }) => (
        <li key={`${task.code} ${task.task}`} className="flex items-start gap-2.5">
          <Circle className="mt-0.75 size-4 shrink-0 text-faint" aria-hidden="true" />
          <div className="min-w-0 flex-1">
            <TaskLine task={task} />
            {needed_by !== undefined && <p className="text-sm text-muted">{needed_by}</p>}
            {task.done_by === 'operator' && <Operator email={operator_email} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

function TaskLine({ task: { code, task } }: { task: Task }) {
  const t = useTaskTexts()
  const { link } = useProjectScope()
  const text = t(code, { task })
  if (code === 'spending_cap' || code.startsWith('payment_')) {
    return <PageLink to={link('/billing')}>{text}</PageLink>
  }
  if (code === 'plan') return <PageLink to={link('/billing/plan')}>{text}</PageLink>
  if (code === 'company_details') return <PageLink to={link('/company')}>{text}</PageLink>
  if (code === 'phone_verification' || code.startsWith('level.')) {
    return <PageLink to={link('/verification')}>{text}</PageLink>
  }
  return <p>{text}</p>
}

function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={linkClass}>
      {children} <ArrowRight className="size-3.5 shrink-0" aria-hidden="true" />
    </Link>
  )
}

function Operator({ email }: { email: string | null }) {
  const t = useTaskTexts()
  if (email === null) return <p className="text-sm text-muted">{t('operator')}</p>
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
      <Mail className="size-3.5 shrink-0" aria-hidden="true" />
      {t('operator_at')}
      <a href={`mailto:${encodeURIComponent(email)}`} className="break-all text-accent">
        {email}
      </a>
    </p>
  )
}
