package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates a far server's refusals to POSIX messages, by the text of the reply: codes alone are ambiguous (550 means anything). */
final class FarRefusals {
    private static final Logger LOG = LoggerFactory.getLogger(FarRefusals.class);
    private static final int NO_DATA_CONNECTION = 425;
    private static final int DATA_CONNECTION_CUT = 426;
    private static final int SERVICE_CLOSING = 421;
    private static final int PERMANENT = 500;

    /** A query to the server. */
    interface Action<T> {
        Outcome<T> run() throws IOException;
    }

    private FarRefusals() {}

    /** Runs a query and turns its failure into a refusal. A broken connection is {@code UNREACHABLE}: agent-a retries. */
    static <T> Outcome<T> attempt(String name, Action<T> action) {
        try {
            return action.run();
        } catch (NotServedException e) {
            return new Outcome<>(null, e.refusal());
        } catch (FarRefusedException e) {
            return new Outcome<>(null, of(e, ErrorCode.STORAGE_FAILED));
        } catch (SocketTimeoutException e) {
            LOG.atWarn().addKeyValue("name", name).log("the far server does not answer");
            return Outcome.refused(ErrorCode.STORAGE_FAILED, "The far server does not answer");
        } catch (IOException e) {
            LOG.atInfo()
                    .addKeyValue("name", name)
                    .addKeyValue("reason", e.getMessage())
                    .log("the connection to the far server broke");
            return Outcome.refused(ErrorCode.UNREACHABLE, "The connection to the far server broke");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("name", name).log("a query to the far server failed unexpectedly");
            return Outcome.refused(ErrorCode.STORAGE_FAILED, "Input/output error");
        }
    }

    /** @param otherwise what a permanent refusal without a known text means */
    static Refusal of(FarRefusedException refused, ErrorCode otherwise) {
        int code = refused.code();
        if (code == SERVICE_CLOSING || code == NO_DATA_CONNECTION || code == DATA_CONNECTION_CUT) {
            return new Refusal(ErrorCode.UNREACHABLE, String.valueOf(refused.getMessage()));
        }
        String text = String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT);
        if (text.contains("no such") || text.contains("not found") || text.contains("not exist")) {
            return posix(ErrorCode.NOT_FOUND);
        } else if (text.contains("denied") || text.contains("permission") || text.contains("not allowed")) {
            return posix(ErrorCode.NOT_ALLOWED);
        } else if (text.contains("not a directory")) {
            return posix(ErrorCode.NOT_DIRECTORY);
        } else if (text.contains("is a directory")) {
            return posix(ErrorCode.IS_DIRECTORY);
        }
        boolean permanent = code >= PERMANENT && otherwise != ErrorCode.STORAGE_FAILED;
        return permanent
                ? posix(otherwise)
                : new Refusal(ErrorCode.STORAGE_FAILED, String.valueOf(refused.getMessage()));
    }

    private static Refusal posix(ErrorCode code) {
        return new Refusal(
                code,
                switch (code) {
                    case NOT_FOUND -> "No such file or directory";
                    case NOT_ALLOWED -> "Permission denied";
                    case NOT_DIRECTORY -> "Not a directory";
                    case IS_DIRECTORY -> "Is a directory";
                    default -> "Input/output error";
                });
    }

    static NotServedException notServed(FarRefusedException refused, ErrorCode otherwise) {
        Refusal refusal = of(refused, otherwise);
        return new NotServedException(refusal.code(), refusal.detail());
    }
}
