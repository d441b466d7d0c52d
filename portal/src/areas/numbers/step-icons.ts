/** The icons of the node types of call plans. */
import {
  Bot,
  Clock,
  Grip,
  MessageSquareText,
  PhoneForwarded,
  PhoneOff,
  UserRoundSearch,
  type LucideIcon,
} from 'lucide-react'
import type { NumberDetails } from './queries.ts'

export type StepType = NumberDetails['steps'][number]['type']

export const stepIcons: Readonly<Record<StepType, LucideIcon>> = {
  forward: PhoneForwarded,
  ai_agent: Bot,
  readText: MessageSquareText,
  menu: Grip,
  openingHours: Clock,
  callerMatch: UserRoundSearch,
  hangup: PhoneOff,
}
