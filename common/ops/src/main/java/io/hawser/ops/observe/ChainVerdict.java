package io.hawser.ops.observe;

import io.hawser.core.why.WaitStage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bottleneck of a transfer's whole way from what several nodes say about their hops. It looks from the end towards the client: the
 * last hop that has something to send and does not wait for the hop before it is the slowest. A sending end that waits for the receiving end
 * is believed only if that one names no cause of its own.
 *
 * <p>Thread: any.
 *
 * @param hop the hop that is the bottleneck
 * @param node the node that says so
 * @param stage the code of its stage
 * @param sentence its verdict
 */
public record ChainVerdict(String hop, String node, String stage, String sentence) {
    /** A hop as its two ends see it; one may not have answered. */
    private record Hop(
            String name, @Nullable View sender, @Nullable View receiver) {}

    /** What a node says of a hop. */
    private record View(String node, WhyPage.Window window) {
        /** Whether that holds of its stage; not of one that only a newer node knows. */
        boolean is(Predicate<WaitStage> what) {
            return WaitStage.of(window.bottleneck()).filter(what).isPresent();
        }

        ChainVerdict verdict(String hop) {
            return new ChainVerdict(hop, node, window.bottleneck(), window.sentence());
        }
    }

    /** The bottleneck by the shortest window of each hop; empty if no node says anything. */
    public static Optional<ChainVerdict> of(List<WhyPage> pages) {
        List<Hop> hops = hops(pages);
        for (int i = hops.size() - 1; i >= 0; i--) {
            ChainVerdict verdict = ofHop(hops.get(i));
            if (verdict != null) {
                return Optional.of(verdict);
            }
        }
        return hops.stream().flatMap(ChainVerdict::views).findFirst().map(first -> first.view.verdict(first.hop));
    }

    private record Named(String hop, View view) {}

    private static Stream<Named> views(Hop hop) {
        return Stream.of(Optional.ofNullable(hop.sender), Optional.ofNullable(hop.receiver))
                .flatMap(Optional::stream)
                .map(view -> new Named(hop.name, view));
    }

    /** Null if the hop is over or waits for the hop before it. */
    private static @Nullable ChainVerdict ofHop(Hop hop) {
        View sender = hop.sender;
        View receiver = hop.receiver;
        ChainVerdict there = receiver == null ? null : cause(hop.name, receiver);
        if (sender == null || sender.is(WaitStage::isOver)) {
            return there;
        } else if (sender.is(WaitStage::isBefore)) {
            return null;
        }
        return sender.is(WaitStage::isAfter) && there != null ? there : sender.verdict(hop.name);
    }

    /** What a receiving end itself waits for; null if it only waits for more. */
    private static @Nullable ChainVerdict cause(String hop, View receiver) {
        return receiver.is(WaitStage::isBefore) || receiver.is(WaitStage::isOver) ? null : receiver.verdict(hop);
    }

    /** The hops in the direction of the transfer. */
    private static List<Hop> hops(List<WhyPage> pages) {
        List<String> names = new ArrayList<>(pages.stream()
                .flatMap(page -> page.hops().stream())
                .map(WhyPage.HopWhy::hop)
                .distinct()
                .toList());
        names.sort(Comparator.comparingInt(ChainVerdict::place));
        return names.stream()
                .map(name -> new Hop(name, view(pages, name, sender(name)), view(pages, name, receiver(name))))
                .toList();
    }

    private static int place(String hop) {
        return hop.equals(HopStatus.CLIENT_TO_AGENT) ? 0 : hop.equals(HopStatus.PUBLISHER_TO_BROKER) ? 1 : 2;
    }

    private static String sender(String hop) {
        return hop.equals(HopStatus.PUBLISHER_TO_BROKER) ? "agent-a" : "broker";
    }

    private static String receiver(String hop) {
        return switch (place(hop)) {
            case 0 -> "agent-a";
            case 1 -> "broker";
            default -> "agent-b";
        };
    }

    private static @Nullable View view(List<WhyPage> pages, String hop, String node) {
        for (WhyPage page : pages) {
            for (WhyPage.HopWhy each : page.hops()) {
                if (page.node().equals(node)
                        && each.hop().equals(hop)
                        && !each.windows().isEmpty()) {
                    return new View(node, each.windows().get(0));
                }
            }
        }
        return null;
    }
}
