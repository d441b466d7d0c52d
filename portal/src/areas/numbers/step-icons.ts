/** The icons of the node types of call plans. */
import {
  Bot,
  Clock,
  CornerDownRight,
  Grip,
  MessageSquareText,
  Music,
  PhoneForwarded,
  PhoneOff,
  Send,
  UserRoundSearch,
  Voicemail,
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
  playAudio: Music,
  voicemail: Voicemail,
  sendSms: Send,
  goto: CornerDownRight,
  hangup: PhoneOff,
}
