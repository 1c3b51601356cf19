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

/** {@code hawser quotas}: how far the quotas of tenants are used. */
@Command(
        name = "quotas",
        header = "Show how far each quota is used.",
        description = {
            "Shows how far each quota of the broker's --acl file is used: bytes that are kept or promised, and transfers that are"
                    + " open or owed to a subscription. Then, of each principal that is connected (a certificate's owner, or an address"
                    + " without TLS), what it takes and may take."
        },
        footer = {"", "Example:  hawser quotas", "          hawser quotas --admin broker.example:7480 --tls keys --json"
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
        PrincipalLine.Used used = each.used();
        PrincipalLine.Limits limits = each.limits();
        return Printable.text(each.who())
                + of("sessions", used.sessions(), limits.sessions())
                + of("subscriptions", used.subscriptions(), limits.subscriptions())
                + of("open transfers", used.openTransfers(), limits.openTransfers())
                + of("calls", used.calls(), limits.calls())
                + of("buffers", used.buffers(), limits.buffers())
                + "  at most " + limits.messages() + " messages, " + limits.records() + " records, "
                + limits.refusals() + " refusals and " + limits.connects() + " connects a second"
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
