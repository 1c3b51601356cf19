package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.modee.ModeEAcceptedConnections;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

/** Parses GridFTP's OPTS RETR, OPTS STOR and OPTS PASV, and applies them to the session. */
final class TransferOptions {
    private static final int MAX_PARALLELISM = ModeEAcceptedConnections.MAX_CONNECTIONS / 4;

    private static final Set<String> LAYOUT = Set.of("stripelayout", "blocksize");

    private TransferOptions() {}

    /**
     * {@code Parallelism=start,min,max;}. How a file is laid out over stripes ({@code StripeLayout}, {@code BlockSize}) is this
     * server's choice: it has one. A line with anything else in it changes nothing.
     */
    static void retr(FtpSession session, String options) {
        int parallelism = session.settings().parallelism();
        for (String option : options.strip().split(";")) {
            String[] pair = option.strip().split("=", 2);
            String name = pair[0].strip().toLowerCase(Locale.ROOT);
            if (name.equals("parallelism")) {
                OptionalLong start =
                        pair.length < 2 ? OptionalLong.empty() : DecimalArgument.parse(pair[1].split(",", 2)[0]);
                if (start.isEmpty() || start.getAsLong() < 1) {
                    session.reply(ReplyCode.ARGUMENT_ERROR, "Parallelism needs a number of connections.");
                    return;
                }
                parallelism = (int) Math.min(start.getAsLong(), MAX_PARALLELISM);
            } else if (!name.isEmpty() && !LAYOUT.contains(name)) {
                session.reply(
                        ReplyCode.ARGUMENT_ERROR, "RETR has the options Parallelism, StripeLayout and BlockSize.");
                return;
            }
        }
        session.settings().parallelism(parallelism);
        session.reply(ReplyCode.OK, "RETR opens " + parallelism + " connections.");
    }

    /** {@code AllowDelayed=1;}. */
    static void pasv(FtpSession session, String options) {
        switch (options.strip().toUpperCase(Locale.ROOT)) {
            case "ALLOWDELAYED=1;", "ALLOWDELAYED=1" -> session.settings().passiveDelayed(true);
            case "ALLOWDELAYED=0;", "ALLOWDELAYED=0" -> session.settings().passiveDelayed(false);
            default -> {
                session.reply(ReplyCode.ARGUMENT_ERROR, "PASV has the option AllowDelayed=0; or =1;");
                return;
            }
        }
        session.reply(ReplyCode.OK, "PASV AllowDelayed is set.");
    }

    /** {@code EOF=1;} and the like ask for what MODE E does anyway. */
    static void stor(FtpSession session) {
        session.reply(ReplyCode.OK, "OK.");
    }
}
