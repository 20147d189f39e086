package io.gpureclaimer.verification.scenario.privilege;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRule;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the shipped accounts may not do, by access reviews of the API server. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedE2E {
  private static final List<String> NEVER =
      List.of(
          "delete pods",
          "deletecollection pods",
          "create pods",
          "update pods",
          "get pods/exec",
          "create pods/exec",
          "create pods/attach",
          "create pods/portforward",
          "get pods/log",
          "patch pods/ephemeralcontainers",
          "patch pods/status",
          "get secrets",
          "list secrets",
          "watch secrets",
          "get configmaps",
          "create serviceaccounts/token",
          "delete nodes",
          "create nodes/proxy",
          "get nodes/proxy",
          "update namespaces",
          "patch namespaces",
          "delete namespaces",
          "delete events",
          "impersonate users",
          "impersonate groups",
          "impersonate serviceaccounts",
          "patch deployments.apps",
          "update statefulsets.apps/scale",
          "delete jobs.batch",
          "patch poddisruptionbudgets.policy",
          "delete poddisruptionbudgets.policy",
          "escalate clusterroles.rbac.authorization.k8s.io",
          "bind clusterroles.rbac.authorization.k8s.io",
          "create clusterrolebindings.rbac.authorization.k8s.io",
          "create rolebindings.rbac.authorization.k8s.io",
          "patch customresourcedefinitions.apiextensions.k8s.io",
          "create validatingwebhookconfigurations.admissionregistration.k8s.io",
          "approve signers.certificates.k8s.io",
          "* *");

  private static final Pattern DEED =
      Pattern.compile(
          "(?<verb>\\S+) (?<resource>[^./]+)(?:\\.(?<group>[^/]+))?(?:/(?<subresource>\\w+))?");

  private final TestCluster cluster;
  private final String elsewhere;
  private final List<Account> accounts;

  RefusedE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.elsewhere = cluster.namespace("elsewhere", Map.of());
    this.accounts = Manifest.shipped().stream().flatMap(this::ship).toList();
  }

  /**
   * A shipped account in a namespace of its own.
   *
   * @param rights its manifest's
   */
  record Account(String manifest, Rights rights, String namespace, String name) {
    @Override
    public String toString() {
      return name + " of " + manifest;
    }
  }

  private Stream<Account> ship(String name) {
    Rights shipped = Rights.of(Manifest.shipped(name));
    if (shipped.accounts().isEmpty()) {
      return Stream.empty();
    }
    String namespace = cluster.namespace("rights", Map.of());
    Rights rights = shipped.in(namespace, _ -> true);
    rights.objects().forEach(cluster::apply);
    return rights.accounts().stream()
        .map(ServiceAccount::getMetadata)
        .map(account -> new Account(name, rights, namespace, account.getName()));
  }

  List<Account> accounts() {
    return accounts;
  }

  @ParameterizedTest
  @MethodSource("accounts")
  void mayDoWhatTheManifestSays_andNothingElse(Account account) {
    try (KubernetesClient client = as(account.namespace(), account.name());
        KubernetesClient unprivileged = as(elsewhere, "default")) {
      Set<Grant> everywhere = granted(unprivileged, elsewhere);
      everywhere.addAll(account.rights().clusterWide());
      var atHome = new HashSet<>(everywhere);
      atHome.addAll(account.rights().inNamespace());

      assertThat(granted(client, elsewhere)).isEqualTo(everywhere);
      assertThat(granted(client, account.namespace())).isEqualTo(atHome);
    }
  }

  @ParameterizedTest
  @MethodSource("accounts")
  void mayDoNothingDangerous(Account account) {
    try (KubernetesClient client = as(account.namespace(), account.name())) {
      assertThat(NEVER)
          .noneMatch(deed -> may(client, deed, account.namespace()))
          .noneMatch(deed -> may(client, deed, elsewhere));
    }
  }

  private KubernetesClient as(String namespace, String name) {
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(cluster.kubeconfig(namespace, name)))
        .build();
  }

  private static Set<Grant> granted(KubernetesClient client, String namespace) {
    var review =
        new SelfSubjectRulesReviewBuilder()
            .withNewSpec()
            .withNamespace(namespace)
            .endSpec()
            .build();
    return client.resource(review).create().getStatus().getResourceRules().stream()
        .flatMap(RefusedE2E::grants)
        .collect(toCollection(HashSet::new));
  }

  private static Stream<Grant> grants(ResourceRule rule) {
    return Grant.of(
        new PolicyRuleBuilder()
            .withApiGroups(rule.getApiGroups())
            .withResources(rule.getResources())
            .withVerbs(rule.getVerbs())
            .withResourceNames(rule.getResourceNames())
            .build());
  }

  /**
   * Whether the account may.
   *
   * @param deed as kubectl has it: {@code update statefulsets.apps/scale}
   */
  private static boolean may(KubernetesClient client, String deed, String namespace) {
    Matcher words = DEED.matcher(deed);
    if (!words.matches()) {
      throw new IllegalArgumentException(deed + " is no verb and resource");
    }
    var review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withNamespace(namespace)
            .withVerb(words.group("verb"))
            .withResource(words.group("resource"))
            .withGroup(words.group("group"))
            .withSubresource(words.group("subresource"))
            .endResourceAttributes()
            .endSpec()
            .build();
    return client.resource(review).create().getStatus().getAllowed();
  }
}
