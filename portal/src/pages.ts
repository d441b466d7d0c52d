/**
 * The pages of a project, in the order and groups of the sidebar. An area adds its page with one
 * entry; its code is loaded when the page is opened.
 */
import {
  BadgeCheck,
  Bot,
  CircleCheckBig,
  CreditCard,
  Database,
  Globe,
  History,
  Image,
  Inbox,
  KeyRound,
  LayoutDashboard,
  LibraryBig,
  LockKeyhole,
  Mail,
  MessageCircleQuestion,
  MessageSquareCode,
  MessageSquareText,
  Phone,
  PhoneCall,
  PhoneForwarded,
  Rocket,
  ScrollText,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Sparkles,
  SquareTerminal,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Role } from './api/session.ts'

export type PageName =
  | 'home'
  | 'start'
  | 'approvals'
  | 'agents'
  | 'keys'
  | 'webhooks'
  | 'requests'
  | 'activity'
  | 'data'
  | 'sites'
  | 'apps'
  | 'media'
  | 'conversations'
  | 'unanswered'
  | 'chat_tokens'
  | 'assistant'
  | 'knowledge'
  | 'email'
  | 'payments'
  | 'numbers'
  | 'calls'
  | 'messages'
  | 'test_call'
  | 'go_live'
  | 'billing'
  | 'team'
  | 'company'
  | 'verification'
  | 'privacy'
  | 'settings'
/** Pages of the group `unlisted` are in the command palette, not in the sidebar. */
export type PageGroup =
  | 'unlisted'
  | 'top'
  | 'receptionist'
  | 'phone'
  | 'content'
  | 'build'
  | 'business'

type LoadPage = () => Promise<{ Page: ComponentType }>

export interface PageEntry {
  name: PageName
  path: string
  group: PageGroup
  icon: LucideIcon
  /** The lowest role that may open the page. */
  role: Role
  load: LoadPage
  /** The page of one record, at a path below that of its list. */
  detail?: { path: string; load: LoadPage }
}

export const pages: readonly PageEntry[] = [
  {
    name: 'home',
    path: '/',
    group: 'top',
    icon: LayoutDashboard,
    role: 'viewer',
    load: () => import('./areas/home/home-page.tsx'),
  },
  {
    name: 'start',
    path: '/start',
    group: 'unlisted',
    icon: Sparkles,
    role: 'viewer',
    load: () => import('./areas/start/start-page.tsx'),
  },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'top',
    icon: CircleCheckBig,
    role: 'viewer',
    load: () => import('./areas/approvals/approvals-page.tsx'),
  },
  {
    name: 'agents',
    path: '/agents',
    group: 'top',
    icon: Workflow,
    role: 'viewer',
    load: () => import('./areas/agents/agents-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/agents/agent-page.tsx') },
  },
  {
    name: 'assistant',
    path: '/assistant',
    group: 'receptionist',
    icon: Bot,
    role: 'member',
    load: () => import('./areas/assistant/assistant-page.tsx'),
  },
  {
    name: 'knowledge',
    path: '/knowledge',
    group: 'receptionist',
    icon: LibraryBig,
    role: 'member',
    load: () => import('./areas/knowledge/knowledge-page.tsx'),
  },
  {
    name: 'conversations',
    path: '/conversations',
    group: 'receptionist',
    icon: Inbox,
    role: 'viewer',
    load: () => import('./areas/conversations/conversations-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/conversations/conversation-page.tsx') },
  },
  {
    name: 'unanswered',
    path: '/unanswered',
    group: 'receptionist',
    icon: MessageCircleQuestion,
    role: 'viewer',
    load: () => import('./areas/unanswered/unanswered-page.tsx'),
  },
  {
    name: 'chat_tokens',
    path: '/chat-tokens',
    group: 'receptionist',
    icon: MessageSquareCode,
    role: 'viewer',
    load: () => import('./areas/chat-tokens/chat-tokens-page.tsx'),
  },
  {
    name: 'keys',
    path: '/keys',
    group: 'build',
    icon: KeyRound,
    role: 'viewer',
    load: () => import('./areas/keys/keys-page.tsx'),
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'build',
    icon: Webhook,
    role: 'member',
    load: () => import('./areas/webhooks/webhooks-page.tsx'),
  },
  {
    name: 'requests',
    path: '/requests',
    group: 'build',
    icon: ScrollText,
    role: 'viewer',
    load: () => import('./areas/requests/requests-page.tsx'),
  },
  {
    name: 'activity',
    path: '/activity',
    group: 'build',
    icon: History,
    role: 'viewer',
    load: () => import('./areas/activity/activity-page.tsx'),
  },
  {
    name: 'data',
    path: '/data',
    group: 'content',
    icon: Database,
    role: 'viewer',
    load: () => import('./areas/data/data-page.tsx'),
    detail: { path: '/$name', load: () => import('./areas/data/collection-page.tsx') },
  },
  {
    name: 'sites',
    path: '/sites',
    group: 'content',
    icon: Globe,
    role: 'viewer',
    load: () => import('./areas/sites/sites-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/sites/site-page.tsx') },
  },
  {
    name: 'apps',
    path: '/apps',
    group: 'content',
    icon: SquareTerminal,
    role: 'viewer',
    load: () => import('./areas/apps/apps-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/apps/app-page.tsx') },
  },
  {
    name: 'media',
    path: '/media',
    group: 'content',
    icon: Image,
    role: 'viewer',
    load: () => import('./areas/media/media-page.tsx'),
  },
  {
    name: 'email',
    path: '/email',
    group: 'content',
    icon: Mail,
    role: 'viewer',
    load: () => import('./areas/email/email-page.tsx'),
  },
  {
    name: 'payments',
    path: '/payments',
    group: 'content',
    icon: ShoppingBag,
    role: 'viewer',
    load: () => import('./areas/payments/payments-page.tsx'),
  },
  {
    name: 'numbers',
    path: '/numbers',
    group: 'phone',
    icon: Phone,
    role: 'viewer',
    load: () => import('./areas/numbers/numbers-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/numbers/number-page.tsx') },
  },
  {
    name: 'calls',
    path: '/calls',
    group: 'phone',
    icon: PhoneCall,
    role: 'viewer',
    load: () => import('./areas/calls/calls-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/calls/call-page.tsx') },
  },
  {
    name: 'messages',
    path: '/messages',
    group: 'phone',
    icon: MessageSquareText,
    role: 'viewer',
    load: () => import('./areas/messages/messages-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/messages/message-page.tsx') },
  },
  {
    name: 'test_call',
    path: '/test-call',
    group: 'phone',
    icon: PhoneForwarded,
    role: 'member',
    load: () => import('./areas/test-call/test-call-page.tsx'),
  },
  {
    name: 'go_live',
    path: '/go-live',
    group: 'business',
    icon: Rocket,
    role: 'viewer',
    load: () => import('./areas/go-live/go-live-page.tsx'),
  },
  {
    name: 'billing',
    path: '/billing',
    group: 'business',
    icon: CreditCard,
    role: 'viewer',
    load: () => import('./areas/billing/billing-page.tsx'),
    detail: { path: '/plan', load: () => import('./areas/billing/plan/plan-page.tsx') },
  },
  {
    name: 'team',
    path: '/team',
    group: 'business',
    icon: Users,
    role: 'viewer',
    load: () => import('./areas/team/team-page.tsx'),
  },
  {
    name: 'company',
    path: '/company',
    group: 'business',
    icon: BadgeCheck,
    role: 'viewer',
    load: () => import('./areas/company/company-page.tsx'),
  },
  {
    name: 'verification',
    path: '/verification',
    group: 'business',
    icon: ShieldCheck,
    role: 'viewer',
    load: () => import('./areas/verification/verification-page.tsx'),
  },
  {
    name: 'privacy',
    path: '/privacy',
    group: 'business',
    icon: LockKeyhole,
    role: 'viewer',
    load: () => import('./areas/privacy/privacy-page.tsx'),
  },
  {
    name: 'settings',
    path: '/settings',
    group: 'business',
    icon: Settings,
    role: 'viewer',
    load: () => import('./areas/settings/settings-page.tsx'),
  },
]
