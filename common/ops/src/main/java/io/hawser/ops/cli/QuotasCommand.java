package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Printable;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.PrincipalLine;
import io.hawser.ops.observe.QuotaLine;
import io.hawser.ops.observe.QuotaPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * {@code hawser quotas}: how far the quotas of tenants are used.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "quotas",
        description = {
            "Shows how far each quota of the broker's --acl file is used: bytes that are kept or promised, and transfers that are"
                    + " open or that somebody has yet to get. Then, of each principal that is connected (a certificate's owner, or an address"
                    + " without TLS), what it takes and may take."
        },
        footer = {
            "",
            "Example:  hawser quotas",
            "          hawser quotas --broker-admin broker.example:7480 --tls keys --json"
        })
public final class QuotasCommand extends AdminCommand {
    public QuotasCommand() {
        super(BROKER_ADMIN);
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        QuotaPage page = Json.read(client.get("/quotas", Map.of()), QuotaPage.class);
        show(page, out -> print(page, out));
    }

    private static void print(QuotaPage page, PrintWriter out) {
        if (page.quotas().isEmpty()) {
            out.println("no quotas; the lines of the broker's --acl file set them");
        }
        page.quotas().forEach(each -> out.println(line(each)));
        page.principals().forEach(each -> out.println(line(each)));
    }

    private static String line(PrincipalLine each) {
        return Printable.text(each.who())
                + of("sessions", each.sessions(), each.limitSessions())
                + of("subscriptions", each.subscriptions(), each.limitSubscriptions())
                + of("open transfers", each.openTransfers(), each.limitOpenTransfers())
                + of("calls", each.calls(), each.limitCalls())
                + of("buffers", each.buffers(), each.limitBuffers())
                + "  at most " + each.limitMessages() + " messages, " + each.limitRecords() + " records, "
                + each.limitRefusals() + " refusals and " + each.limitConnects() + " connects a second"
                + (each.timesSlowed() == 0 ? "" : ", slowed down " + each.timesSlowed() + " times");
    }

    private static String of(String what, long used, long limit) {
        return "  " + used + " of " + limit + " " + what;
    }

    private static String line(QuotaLine quota) {
        return Printable.text(quota.who() + " on " + String.join(",", quota.topics())) + "  "
                + ByteSize.human(quota.usedBytes() + quota.reservedBytes())
                + of(quota.limitBytes(), ByteSize.human(quota.limitBytes())) + "  "
                + quota.transfers() + of(quota.limitTransfers(), Long.toString(quota.limitTransfers())) + " transfers";
    }

    private static String of(long limit, String text) {
        return limit == QuotaLine.NO_LIMIT ? "" : " of " + text;
    }
}
