package io.hawser.ops.cli;

import io.hawser.core.model.Printable;
import io.hawser.ops.observe.ChainVerdict;
import io.hawser.ops.observe.WhyPage;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What holds a transfer back, as text for people: the bottleneck first, then each hop as each node sees it.
 *
 * <pre>
 * photos/cat.jpg  site-b  6f0c…:018f…
 * bottleneck: publisher->broker, link (says agent-a)
 *   The link takes no more: 1.2 MiB/s over 8 streams, round trip 40.1 ms (96% of the last 5 s). Free the link …
 *   client->agent-a       agent-a   5 s: none 100%                   60 s: client 80%, none 20%
 *   publisher->broker     agent-a   5 s: link 96%, no-input 4%       60 s: link 90%, no-input 10%
 * </pre>
 *
 * <p>Thread: any.
 */
final class WhyTable {
    private static final int SHOWN_SHARES = 3;

    private WhyTable() {}

    static void print(WhyCommand.Answer answer, PrintWriter out) {
        WhyPage first = answer.nodes().get(0);
        String name = first.name().isEmpty() ? "(no name)" : first.name();
        out.println(Printable.text(name + "  " + first.topic() + "  " + answer.key()));
        ChainVerdict bottleneck = answer.bottleneck();
        if (bottleneck != null) {
            out.println(Printable.text("bottleneck: " + bottleneck.hop() + ", " + bottleneck.stage() + " (says "
                    + bottleneck.node() + ")"));
            out.println(Printable.text("  " + bottleneck.sentence()));
        }
        for (WhyPage page : answer.nodes()) {
            page.hops().forEach(hop -> out.println(line(page.node(), hop)));
        }
    }

    private static String line(String node, WhyPage.HopWhy hop) {
        String windows = hop.windows().stream()
                .map(window -> String.format(Locale.ROOT, "%d s: %-34s", window.seconds(), shares(window)))
                .collect(Collectors.joining("  "));
        return Printable.text(String.format(Locale.ROOT, "  %-24s %-8s %s", hop.hop(), node, windows)
                .stripTrailing());
    }

    private static String shares(WhyPage.Window window) {
        return window.shares().stream()
                .limit(SHOWN_SHARES)
                .map(each -> each.stage() + " " + Math.round(100 * each.share()) + "%")
                .collect(Collectors.joining(", "));
    }
}
