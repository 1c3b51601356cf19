package io.hawser.ops.observe;

import java.util.List;

/**
 * The JSON of {@code /quotas}.
 *
 * @param quotas the use of each tenant's quota
 * @param principals what each connected principal uses
 */
public record QuotaPage(List<QuotaLine> quotas, List<PrincipalLine> principals) {
    public QuotaPage {
        quotas = List.copyOf(quotas);
        principals = List.copyOf(principals);
    }
}
