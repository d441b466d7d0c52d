/** The icon of a type of step; a question mark for an unknown one. */
import { CircleQuestionMark } from 'lucide-react'
import { stepIcons } from '../step-icons.ts'
import { isStepType } from './names.ts'

export function StepIcon({ type, className }: { type: string; className?: string }) {
  const Icon = isStepType(type) ? stepIcons[type] : CircleQuestionMark
  return <Icon aria-hidden="true" {...(className !== undefined && { className })} />
}

const tones: Readonly<Record<string, string>> = {
  forward: 'bg-info-soft text-info',
  ai_agent: 'bg-accent-soft text-accent',
  hangup: 'bg-bad-soft text-bad',
  openingHours: 'bg-warn-soft text-warn',
  callerMatch: 'bg-warn-soft text-warn',
  menu: 'bg-good-soft text-good',
  readText: 'bg-good-soft text-good',
  playAudio: 'bg-good-soft text-good',
  voicemail: 'bg-accent-soft text-accent',
  sendSms: 'bg-info-soft text-info',
  goto: 'bg-warn-soft text-warn',
}

/** The icon in a tile, coloured by what the step does. */
export function StepTile({ type }: { type: string }) {
  return (
    <span
      className={`grid size-8 shrink-0 place-items-center rounded-lg [&_svg]:size-4 ${tones[type] ?? 'bg-hover text-muted'}`}
    >
      <StepIcon type={type} />
    </span>
  )
}
