package io.hawser.ops.observe;

import io.hawser.core.hop.ErrorCode;

/**
 * Says what an operator can do about a transfer that does not move on a hop.
 *
 * <p>Thread: any.
 */
final class HopAdvice {
    private HopAdvice() {}

    /** A sentence; empty where nothing holds the transfer back, or waiting helps. */
    static String of(HopStatus hop) {
        String reason = hop.reason();
        if (reason.isEmpty()) {
            return "";
        }
        if (hop.state().equals("refused")) {
            return cause(reason).remedy();
        }
        if (reason.contains("no session with the broker")) {
            return StallCause.BROKER_AWAY.remedy();
        }
        if (reason.contains("no subscription has come")) {
            return StallCause.UNCLAIMED.remedy();
        }
        if (reason.contains("may deliver it, which is not connected")) {
            return StallCause.MEMBER_AWAY.remedy();
        }
        if (reason.contains("its consumer is not connected")) {
            return StallCause.SUBSCRIPTION.remedy();
        }
        if (reason.contains("its publisher is not connected")) {
            return "Start its publisher, or repair the network; it then continues by itself";
        }
        if (reason.contains("the client broke off")) {
            return "Let its client send it again; Hawser resumes where it stopped";
        }
        return "";
    }

    private static StallCause cause(String reason) {
        return reason.startsWith(ErrorCode.NO_SPACE.name()) ? StallCause.NO_SPACE : StallCause.REFUSED;
    }
}
