/**
 * The landing area: the durable store of a far end, be it agent-b in front of a directory or an application that receives. It
 * is a hop receiver's store ({@link io.hawser.core.hop.ReceiverStore}) on one side and hands verified objects to a {@link
 * io.hawser.store.landing.DeliveryTarget} on the other.
 *
 * <pre>
 *   fragments ──► VerifiedWriter ──► Committer ──┐
 *                 write, force,      root,       ├─► VERIFIED ──► DeliveryScheduler ──► DeliveryTarget ──► ENDED ──► receipt
 *                 read back,         force       │   (journal)    order by path         rename, force      (journal)
 *                 leaves                         │
 *   small ones ─► SmallWriter ───────────────────┘
 * </pre>
 *
 * <p>{@link io.hawser.store.landing.LandingArea} is the face. {@code Admission} and {@code SmallIntake} let transfers in, {@code
 * Canceller}, {@code OutcomeRecorder} and {@code LandingHousekeeping} end what has begun. All state belongs to its loop: a {@code LandingTransfer} for each
 * transfer between OPEN and its end, in the {@code LandingRegister} with the receipts and tombstones. What blocks ({@code
 * FragmentFile}, the target) runs on disk and digest threads through {@code LandingWorkers}, and what came of it is
 * posted back.
 *
 * <p>The rules that everything rests on:
 *
 * <ul>
 *   <li>A fragment is durable when its landing file was forced, its bytes were read back past the page cache and agree with
 *       the leaf from the origin, and the sidecar that says so was forced.
 *   <li>VERIFIED is written when the whole object is durable under a name that was forced. VERIFIED without a landing file
 *       at a start means: it was published, whatever the final name shows. Within a run it means that only after a rename whose
 *       directory could not be forced. So a rename is made once, also when a consumer has taken the
 *       file since or a later transfer replaced it.
 *   <li>Objects that share a path are published in the order of their commits; one that must wait holds up no other.
 *   <li>What an earlier run wrote counts when this one has read it back and compared it with its digests: an incomplete object
 *       soon after the start and all of it again before its VERIFIED, a complete one before it is published ({@code RestartVerifier}). So is what
 *       has waited in this run, in line, after a failed attempt or as a dead letter.
 *   <li>A failed force is not tried again: one landing file is given up and its transfer starts from zero; a journal or a
 *       directory ends the whole landing area, and a restart reads what the disk really holds.
 * </ul>
 *
 * <p>Memory does not grow with the size of objects: per transfer a manifest and the runs of its fragments; leaves are in the
 * sidecars. Each digest thread has 1 MiB to read back with and each of the 16 disk threads up to 64 KiB, outside the heap.
 *
 * <p>The files are described in {@code docs/reference/format-landing.md}.
 */
@NullMarked
package io.hawser.store.landing;

import org.jspecify.annotations.NullMarked;
