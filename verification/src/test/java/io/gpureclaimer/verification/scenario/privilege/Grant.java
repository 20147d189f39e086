package io.gpureclaimer.verification.scenario.privilege;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import java.util.stream.Stream;

/**
 * One verb on one resource.
 *
 * @param group the API group; empty for the core
 * @param resource in the plural, with its subresource
 * @param names the only objects it is about; empty for all of them
 */
record Grant(String verb, String group, String resource, List<String> names) {
  Grant {
    names = List.copyOf(names);
  }

  /** Every verb on every resource that a rule names. */
  static Stream<Grant> of(PolicyRule rule) {
    return rule.getApiGroups().stream()
        .flatMap(
            group ->
                rule.getResources().stream()
                    .flatMap(
                        resource ->
                            rule.getVerbs().stream()
                                .map(
                                    verb ->
                                        new Grant(
                                            verb, group, resource, rule.getResourceNames()))));
  }

  /** The rule that gives this and nothing else. */
  PolicyRule rule() {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resource)
        .withVerbs(verb)
        .withResourceNames(names)
        .build();
  }

  @Override
  public String toString() {
    return verb + " " + resource;
  }
}
