package io.hawser.agenta.namespace;

import io.hawser.agenta.account.Account;
import io.hawser.store.spool.UploadRequest;
import java.util.function.UnaryOperator;

/**
 * The client on whose behalf something is sent.
 *
 * @param account the one that is logged in
 * @param delegation adds to a request what the client has delegated to the far end; the identity if nothing
 */
public record Requester(Account account, UnaryOperator<UploadRequest> delegation) {}
