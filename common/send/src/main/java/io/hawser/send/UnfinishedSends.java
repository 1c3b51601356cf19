package io.hawser.send;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.client.StateDirectory;
import io.hawser.client.StateSlot;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What earlier runs have left in the state directory: names it, and finishes it.
 *
 * <p>Thread: main only.
 *
 * @param flags the flags of a command that uses the same state directory and keys, each after a space
 */
record UnfinishedSends(StateDirectory state, ClientOptions options, SendFollower follower, String flags) {
    /** Finishes what has not reached the level in the slots of this destination that no process uses, one after the other. */
    ExitCode finish() throws IOException {
        ExitCode worst = ExitCode.OK;
        boolean any = false;
        for (StateSlot slot : state.slots()) {
            if (mayLackLevel(slot) && slot.isFor(options.brokers())) {
                Optional<ExitCode> finished = state.isInUse(slot) ? Optional.of(inUse(slot)) : finish(slot);
                any |= finished.isPresent();
                ExitCode code = finished.orElse(ExitCode.OK);
                worst = worst == ExitCode.OK || code == ExitCode.FAILED ? code : worst;
            }
        }
        if (!any && follower.output().mode() == SendOutput.Mode.TEXT) {
            follower.output().out().println("nothing is left for " + brokers());
            follower.output().out().flush();
        }
        return worst;
    }

    private String brokers() {
        return String.join(",", options.brokers());
    }

    private WaitLevel level() {
        return follower.order().level();
    }

    /** Of a settled slot the broker has everything, but perhaps not yet the far ends. */
    private boolean mayLackLevel(StateSlot slot) {
        return !slot.isSettled() || (level().needsReceipts() && !slot.brokers().isEmpty());
    }

    /** Whether it has not reached the level that is asked for, also if it cannot. What is spooled goes on to the broker. */
    private boolean isLeft(SentTransfer transfer) {
        WaitLevel level = level().needsReceipts() ? level() : WaitLevel.BROKERED;
        return !SentObject.isReached(level.of(transfer, follower.order().rule()));
    }

    /** Another process has it, and with it perhaps what an interrupted run has left. */
    private ExitCode inUse(StateSlot slot) {
        error(slot.directory() + " is in use by another process, which may have to finish something for " + brokers()
                + ". Run this again when it has ended");
        return ExitCode.BUSY;
    }

    private void error(String sentence) {
        follower.output().err().println(Printable.text("hawser: " + sentence));
        follower.output().err().flush();
    }

    /** Of what an earlier run was told that it failed; a later run of its command sends it anew. */
    private Optional<ExitCode> sayWhatFailed(List<String> failed) {
        failed.forEach(
                name -> error(
                        name
                                + " failed in an earlier run, and is not delivered. Run the command that sent it again: it is sent anew"));
        return failed.isEmpty() ? Optional.empty() : Optional.of(ExitCode.FAILED);
    }

    /** Empty if nothing is left in the slot. */
    private Optional<ExitCode> finish(StateSlot slot) throws IOException {
        try (HawserClient client = HawserClient.connect(options, List.of(slot))) {
            if (!client.slot().equals(slot.directory())) {
                return Optional.of(inUse(slot)); // since it was looked at
            }
            List<SendResumeLog> memories = SendResumeLog.watchAll(client);
            try {
                Optional<ExitCode> failed = sayWhatFailed(memories.stream()
                        .flatMap(memory -> memory.failedBefore().stream())
                        .toList());
                List<SentTransfer> left =
                        client.pending().stream().filter(this::isLeft).toList();
                if (left.isEmpty()) {
                    return failed;
                }
                List<SendPlan.Entry> entries = left.stream()
                        .map(transfer -> new SendPlan.Entry(
                                slot.directory(),
                                transfer.name(),
                                false,
                                Math.max(0, transfer.progress().sizeBytes())))
                        .toList();
                SendPlan plan = new SendPlan(entries, List.of());
                ExitCode code = follower.follow(client, plan, Optional.empty(), run -> run.resume(left));
                return failed.isPresent() ? failed : Optional.of(code);
            } finally {
                memories.forEach(SendResumeLog::close);
            }
        }
    }

    /** Names what earlier runs left unfinished in slots that no process uses now, and the command that finishes it. */
    void sayWhatIsLeft() throws IOException {
        Set<List<String>> destinations = new LinkedHashSet<>();
        for (StateSlot slot : state.slots()) {
            if (!slot.isSettled() && !slot.brokers().isEmpty() && !state.isInUse(slot)) {
                destinations.add(slot.isFor(options.brokers()) ? options.brokers() : slot.brokers());
            }
        }
        for (List<String> brokers : destinations) {
            String names = String.join(",", brokers);
            error("note: what was accepted here for the broker " + names
                    + " may not all be there yet. To finish it: hawser send --unfinished --broker " + names + flags);
        }
    }
}
