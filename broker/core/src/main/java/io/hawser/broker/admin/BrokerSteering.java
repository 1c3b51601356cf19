package io.hawser.broker.admin;

import io.hawser.broker.relay.OperatorDrop;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.DeadLetterRetry;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringCommand;
import io.hawser.ops.steer.SteeringFilter;
import io.hawser.ops.steer.SteeringObstacle;
import io.hawser.ops.steer.SteeringRun;
import io.hawser.ops.steer.TransferSteering;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Steers the transfers that the broker keeps.
 *
 * <p>Thread: the admin thread; it asks the loop and the store.
 *
 * @param lines makes lines of them; on the loop
 * @param end the far end in this process, which retries its dead letters
 */
record BrokerSteering(NodeThreads net, BrokerStore store, Relay relay, Lines lines, Supplier<Optional<RetryingEnd>> end)
        implements TransferSteering {
    static final List<SteeringAction> ACTIONS = List.of(SteeringAction.values());

    /** By their state few of those are meant that are looked at. */
    private static final int LOOKED_AT_FOR_EACH = 8;

    /** Makes the lines of transfers. */
    @FunctionalInterface
    interface Lines {
        TransferStatus line(StoredTransferStatus status);
    }

    @Override
    public List<SteeringAction> actions() {
        return ACTIONS;
    }

    @Override
    public List<TransferStatus> find(SteeringFilter filter, int limit) throws IOException {
        List<StoredTransferStatus> found = filter.isOfOne() ? one(filter.key()) : many(filter, limit);
        return net.onLoop(() -> found.stream()
                .map(lines::line)
                .filter(filter::means)
                .limit(limit)
                .toList());
    }

    private List<StoredTransferStatus> one(String text) throws IOException {
        TransferKey key = TransferKey.parse(text);
        Outcome<StoredTransferStatus> found = new LoopQueries(net).outcome(done -> store.transfer(key, done));
        return found.isRefused() ? List.of() : List.of(found.get());
    }

    private List<StoredTransferStatus> many(SteeringFilter filter, int limit) throws IOException {
        int looked = filter.state().isEmpty() ? limit : LOOKED_AT_FOR_EACH * limit;
        StoredTransferSearch.Found found = StoredTransferSearch.of(new LoopQueries(net), store)
                .find(manifest -> filter.mayMean(manifest.topic().name(), manifest.name()), looked);
        if (found.searched() > 0) {
            throw new IllegalArgumentException("only the newest " + found.searched()
                    + " transfers could be searched in time; give the keys of those that you mean");
        }
        return found.transfers();
    }

    @Override
    public Optional<String> whyNot(SteeringAction action, TransferStatus status) {
        if (action == SteeringAction.RETRY
                && end.get().filter(each -> each.has(status)).isPresent()) {
            return Optional.empty();
        }
        return action == SteeringAction.DROP && status.state().equals("receiving")
                ? Optional.of("it is not complete here: cancel it")
                : SteeringObstacle.atBroker(action, status);
    }

    @Override
    public String commandElsewhere(SteeringAction action, TransferStatus status) {
        return action == SteeringAction.RETRY && DeadLetterRetry.isFor(status) ? DeadLetterRetry.command(status) : "";
    }

    @Override
    public CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys) {
        if (command.action() == SteeringAction.RETRY) {
            return end.get()
                    .map(each -> each.steering().apply(command, keys))
                    .orElseGet(() -> CompletableFuture.completedFuture(Map.of()));
        }
        if (command.action() == SteeringAction.DROP) {
            OperatorDrop drop = new OperatorDrop(relay, store, System::currentTimeMillis);
            return SteeringRun.of(net.loop(), keys, new DropStep(drop, net.loop(), DropStep.CONSUMERS_TIME));
        }
        String reason = "cancelled by " + command.by() + " at the broker";
        SteeringRun.Step<TransferKey> step =
                switch (command.action()) {
                    case CANCEL -> (key, done) -> relay.recalls().recall(key, reason, done);
                    case HOLD -> relay.holds()::hold;
                    case RELEASE -> relay.holds()::release;
                    case PRIORITY -> (key, done) -> relay.holds().prioritise(key, command.priority(), done);
                    case RETRY, DROP -> throw new AssertionError("done above");
                };
        return SteeringRun.of(net.loop(), keys, step);
    }
}
