/**
 * {@code hawser drill}: canaries (files of known content) go through a deployment while its nodes are killed or stopped, and what
 * arrives is compared with what was sent.
 *
 * <pre>
 *   FtpSender, ApiSender ──► deployment ──► FarEnd (what is at the far end)
 *            │                  ▲              │
 *            ▼                  │ Victim       ▼
 *       CanaryLedger ◄──────────┼──────── CanaryCollector ──► CanaryRemover
 *            │             FaultDriver
 *            └─► FaultLog ──────┴──► DrillReport, DrillText
 * </pre>
 *
 * A {@link io.hawser.release.drill.DrillTarget} is either a chain that the drill starts itself or one that runs; faults touch what the drill
 * started, or what it was pointed at node by node.
 */
@NullMarked
package io.hawser.release.drill;

import org.jspecify.annotations.NullMarked;
