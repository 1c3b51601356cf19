package io.hawser.it.page;

import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.DeadLetterRetry;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringCommand;
import io.hawser.ops.steer.SteeringFilter;
import io.hawser.ops.steer.SteeringObstacle;
import io.hawser.ops.steer.TransferSteering;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Steers the transfers of a {@link ShownNode}: refuses what a broker refuses, and else changes only the state that is shown.
 *
 * <p>Thread: any.
 *
 * @param actions what it does
 * @param source the transfers
 * @param states the states that were changed, by key
 * @param changes what was asked for, as {@code PATH KEY}
 */
record ShownSteering(
        List<SteeringAction> actions,
        NodePages.TransferSource source,
        Map<String, String> states,
        Queue<String> changes)
        implements TransferSteering {
    private static final String CANCELLED = "cancelled";
    private static final int MOST = 1000;

    static ShownSteering of(List<SteeringAction> actions, NodePages.TransferSource source) {
        return new ShownSteering(actions, source, new ConcurrentHashMap<>(), new ConcurrentLinkedQueue<>());
    }

    /** The transfers as they are after the changes. */
    List<TransferStatus> find(String text, int limit) throws IOException {
        return source.find(text, limit).stream().map(this::now).toList();
    }

    private TransferStatus now(TransferStatus each) {
        String state = states.getOrDefault(each.key(), each.state());
        List<HopStatus> hops = new ArrayList<>(each.hops());
        if (state.equals(CANCELLED)) {
            hops.replaceAll(hop -> hop.hop().equals(HopStatus.PUBLISHER_TO_BROKER)
                    ? hop
                    : new HopStatus(hop.hop(), state, hop.bytes(), ""));
        }
        return new TransferStatus(each.key(), each.object(), state, each.ageMillis(), hops, each.receipts());
    }

    @Override
    public List<TransferStatus> find(SteeringFilter filter, int limit) throws IOException {
        return find(filter.key(), MOST).stream()
                .filter(filter::means)
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<String> whyNot(SteeringAction action, TransferStatus status) {
        return SteeringObstacle.atBroker(action, status);
    }

    @Override
    public String commandElsewhere(SteeringAction action, TransferStatus status) {
        return action == SteeringAction.RETRY && DeadLetterRetry.isFor(status) ? DeadLetterRetry.command(status) : "";
    }

    @Override
    public CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys) {
        for (String key : keys) {
            changes.add(command.action().path() + " " + key);
            switch (command.action()) {
                case CANCEL -> states.put(key, CANCELLED);
                case HOLD -> states.put(key, "held");
                case RELEASE -> states.remove(key);
                case DROP -> states.put(key, "expired");
                case PRIORITY, RETRY -> {}
            }
        }
        return CompletableFuture.completedFuture(
                keys.stream().collect(Collectors.toMap(Function.identity(), key -> "")));
    }
}
