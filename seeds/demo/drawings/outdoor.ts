import type { Palette } from './colors';
import { box, circle, clipped, group, line, oval, path, repeated } from './shapes';

export function tent(tone: Palette): string {
  return (
    path('M400 196 L700 610 H100 Z', tone.main) +
    path('M400 196 L700 610 H520 Z', tone.dark) +
    path('M400 196 L508 610 H292 Z', tone.darker) +
    path('M400 196 L292 610 H230 Q340 470 400 196 Z', tone.light) +
    line('M400 196 V610', { color: tone.lighter, width: 5, opacity: 0.7 }) +
    line('M392 208 L420 160 M140 556 L70 628 M660 556 L730 628', { color: '#8a6a4a', width: 8 }) +
    line('M100 610 H700', { color: tone.darker, width: 10 })
  );
}

export function lantern(tone: Palette): string {
  return (
    oval([400, 430, 290, 280], 'url(#glow)') +
    line('M300 260 Q300 130 400 130 Q500 130 500 260', { color: '#4b4e52', width: 14 }) +
    box([320, 216, 160, 60], tone.main, 16) +
    box([300, 268, 200, 34], tone.dark, 10) +
    path('M318 302 H482 L500 540 H300 Z', '#fdf6dd', 0.9) +
    path('M400 372 Q442 440 416 478 Q400 492 384 478 Q360 440 400 372 Z', '#f2b84b') +
    line('M336 302 L322 540 M464 302 L478 540', { color: tone.darker, width: 9 }) +
    box([284, 536, 232, 96], tone.main, 18) +
    box([284, 596, 232, 36], tone.dark, 14) +
    circle(470, 584, 16, '#c9a24d')
  );
}

export function sleepingBag(tone: Palette): string {
  const outline =
    'M400 130 Q500 136 520 240 L556 420 Q548 640 400 676 Q252 640 244 420 L280 240 Q300 136 400 130 Z';
  const baffles = repeated(7, (index) =>
    line(`M230 ${330 + index * 50} Q400 ${372 + index * 50} 570 ${330 + index * 50}`, {
      color: tone.darker,
      width: 5,
      opacity: 0.45,
    }),
  );
  return group(
    'rotate(24 400 400)',
    path(outline, tone.main) +
      clipped('bag', outline, baffles + path('M470 130 H580 V680 H470 Q540 400 470 130 Z', tone.dark, 0.35)) +
      oval([400, 226, 84, 66], tone.darker) +
      oval([400, 240, 66, 46], tone.lighter) +
      line('M470 286 Q498 400 484 520', { color: tone.lighter, width: 7, dashes: '3 8' }),
  );
}

export function campChair(tone: Palette): string {
  return (
    line('M250 470 L540 676 M550 470 L260 676 M228 676 H300 M500 676 H572', { color: '#4b4e52', width: 16 }) +
    line('M240 210 L262 480 M560 210 L538 480', { color: '#4b4e52', width: 16 }) +
    path('M236 200 Q400 236 564 200 L544 440 Q400 470 256 440 Z', tone.main) +
    path('M500 214 Q540 208 564 200 L544 440 Q516 448 488 452 Z', tone.dark, 0.45) +
    path('M244 440 H556 L582 520 Q400 560 218 520 Z', tone.light) +
    box([176, 400, 84, 26], tone.darker, 12) +
    box([540, 400, 84, 26], tone.darker, 12) +
    line('M250 232 Q400 266 550 232', { color: tone.lighter, width: 4, dashes: '10 8' })
  );
}

export function firstAidKit(tone: Palette): string {
  const body =
    'M190 310 Q190 270 230 270 H570 Q610 270 610 310 V580 Q610 620 570 620 H230 Q190 620 190 580 Z';
  return (
    line('M330 276 V232 Q330 206 356 206 H444 Q470 206 470 232 V276', { color: tone.darker, width: 20 }) +
    path(body, tone.main) +
    clipped(
      'kit',
      body,
      box([190, 560, 420, 70], tone.dark) +
        path('M530 260 H620 V640 H546 Q580 450 530 260 Z', tone.dark, 0.4),
    ) +
    line('M204 330 H596', { color: tone.darker, width: 10 }) +
    circle(400, 456, 96, '#f7f3ea') +
    path('M376 392 H424 V432 H464 V480 H424 V520 H376 V480 H336 V432 H376 Z', tone.main) +
    box([560, 318, 20, 54], tone.lighter, 8)
  );
}

export function cookSet(tone: Palette): string {
  const pot = 'M236 350 H564 V560 Q564 610 514 610 H286 Q236 610 236 560 Z';
  return (
    line('M210 372 Q400 110 590 372', { color: '#4b4e52', width: 12 }) +
    path(pot, tone.main) +
    clipped(
      'cook',
      pot,
      path('M480 340 H580 V620 H470 Q520 480 480 340 Z', tone.dark, 0.45) +
        repeated(18, (index) =>
          circle(250 + ((index * 137) % 300), 396 + ((index * index * 31) % 196), 4, tone.lighter),
        ),
    ) +
    oval([400, 350, 176, 40], tone.darker) +
    oval([400, 342, 166, 34], tone.light) +
    circle(400, 320, 20, tone.darker) +
    path('M566 560 h120 q20 0 16 20 q-6 52 -60 52 h-70 Z', tone.dark) +
    oval([636, 560, 68, 13], '#f4f1ea')
  );
}

export function bikeBell(tone: Palette): string {
  return (
    box([210, 560, 380, 50], '#4b4e52', 25) +
    box([346, 512, 108, 110], '#34363a', 18) +
    path('M220 500 Q220 290 400 290 Q580 290 580 500 Q400 546 220 500 Z', tone.main) +
    path('M470 300 Q580 330 580 500 Q540 512 492 518 Q540 400 470 300 Z', tone.dark, 0.5) +
    line('M286 410 Q310 350 366 330', { color: tone.lighter, width: 16, opacity: 0.8 }) +
    line('M224 502 Q400 546 576 502', { color: tone.darker, width: 10 }) +
    circle(400, 286, 22, tone.darker) +
    path('M566 470 q90 -40 112 -8 q10 34 -96 58 Z', tone.darker)
  );
}
