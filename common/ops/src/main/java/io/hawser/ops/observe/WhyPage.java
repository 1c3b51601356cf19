package io.hawser.ops.observe;

import io.hawser.core.why.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of {@code /why?key=KEY}: what holds a transfer back on each hop that the node is an end of.
 *
 * @param node the name of the node that answers, such as {@code broker}
 * @param key the transfer's key
 * @param topic its topic
 * @param name its name as a path below the topic; empty for a message
 * @param hops the hops that this node is an end of, the incoming one first
 * @param others what the other nodes of its process say, as with {@code hawser up}; empty where it is alone
 * @param bottleneck of the whole way, as far as these nodes know it; null if it is over on each hop
 */
public record WhyPage(
        String node,
        String key,
        String topic,
        String name,
        List<HopWhy> hops,
        List<WhyPage> others,
        @Nullable ChainVerdict bottleneck) {
    public WhyPage {
        hops = List.copyOf(Objects.requireNonNullElse(hops, List.of()));
        others = List.copyOf(Objects.requireNonNullElse(others, List.of())); // an older node has none
    }

    /** Of a node that is alone. */
    public static WhyPage of(String node, String key, String topic, String name, List<HopWhy> hops) {
        return new WhyPage(node, key, topic, name, hops, List.of(), null).with(List.of());
    }

    /** The same with what the other nodes of its process say. */
    public WhyPage with(List<WhyPage> more) {
        List<WhyPage> all = new ArrayList<>(List.of(this));
        all.addAll(more);
        return new WhyPage(
                node, key, topic, name, hops, more, ChainVerdict.of(all).orElse(null));
    }

    /**
     * One hop.
     *
     * @param hop the hop's name, as in {@code /transfers}
     * @param windows the last 5 s, then the last 60 s
     */
    public record HopWhy(String hop, List<Window> windows) {
        public HopWhy {
            windows = List.copyOf(Objects.requireNonNullElse(windows, List.of()));
        }

        /** Of a hop with those verdicts. */
        public static HopWhy of(String hop, List<Verdict> verdicts) {
            return new HopWhy(hop, verdicts.stream().map(Window::of).toList());
        }
    }

    /**
     * What held it back in a window of time that ends now.
     *
     * @param seconds the length of the window
     * @param bottleneck the code of a {@link io.hawser.core.why.WaitStage}
     * @param sentence the verdict for people, with what one can do
     * @param shares the part of the time that it waited in each stage, the largest first
     */
    public record Window(int seconds, String bottleneck, String sentence, List<Share> shares) {
        public Window {
            shares = List.copyOf(Objects.requireNonNullElse(shares, List.of()));
        }

        static Window of(Verdict verdict) {
            return new Window(
                    verdict.seconds(),
                    verdict.bottleneck().code(),
                    verdict.sentence(),
                    verdict.shares().stream()
                            .map(each -> new Share(each.stage().code(), rounded(each.share())))
                            .toList());
        }

        private static double rounded(double share) {
            return Math.round(share * 1000) / 1000.0;
        }
    }

    /**
     * A part of a window.
     *
     * @param stage the code of a {@link io.hawser.core.why.WaitStage}
     * @param share 0 to 1, to three decimals
     */
    public record Share(String stage, double share) {}
}
