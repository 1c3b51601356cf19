package io.hawser.agenta.http;

import io.hawser.agenta.namespace.RequestFailure;

/** The HTTP statuses for failures of requests. */
final class FailureStatus {
    private FailureStatus() {}

    static int of(RequestFailure.Reason reason) {
        return switch (reason) {
            case NOT_FOUND, NOT_LISTABLE -> 404;
            case DENIED -> 403;
            case CONFLICT, NOT_CONTINUABLE, BAD_NAME -> 409;
            case AFTER_THE_END, BAD_POSITION -> 416;
            case NO_SPACE, QUOTA_EXCEEDED -> 507;
            case BUSY, STOPPING, FAILED -> 503; // not 404, which programs take for "no such file"
        };
    }
}
