package io.hawser.common.cli;

import io.hawser.common.config.ByteSize;
import io.hawser.common.model.Printable;
import io.hawser.common.observe.Json;
import io.hawser.common.observe.QuotaLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
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
                    + " open or that somebody has yet to get."
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
        List<QuotaLine> quotas = Json.readList(client.get("/quotas", Map.of()), QuotaLine.class);
        show(quotas, out -> print(quotas, out));
    }

    private static void print(List<QuotaLine> quotas, PrintWriter out) {
        if (quotas.isEmpty()) {
            out.println("no quotas; the lines of the broker's --acl file set them");
        }
        quotas.forEach(each -> out.println(line(each)));
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
