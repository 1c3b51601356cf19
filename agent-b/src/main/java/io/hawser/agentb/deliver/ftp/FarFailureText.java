package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.apache.commons.net.MalformedServerReplyException;

/** Describes failures of connections to a far server for users. Pure. */
public final class FarFailureText {
    private FarFailureText() {}

    /** A sentence for receipts, logs and the admin pages. */
    public static String of(IOException e) {
        if (e instanceof UnknownHostException) {
            return "there is no host \"" + e.getMessage() + "\"";
        }
        if (e instanceof SocketTimeoutException) {
            return "no answer within the time limit (" + e.getMessage() + ")";
        }
        if (e instanceof ConnectException) {
            return "cannot connect: " + e.getMessage();
        }
        String message = e.getMessage();
        if (message == null) {
            return e.getClass().getSimpleName();
        }
        return e instanceof MalformedServerReplyException ? FarRefusedException.shown(message) : message;
    }
}
