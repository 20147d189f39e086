package io.gpureclaimer.verification.scenario.privilege;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The accounts, roles and bindings of a manifest; whatever else is in it is left out, and roles
 * without a binding.
 */
record Rights(List<HasMetadata> objects) {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  Rights {
    objects = List.copyOf(objects);
  }

  static Rights of(Manifest manifest) {
    List<HasMetadata> objects =
        Stream.of(manifest.text().split("(?m)^---.*$"))
            .filter(document -> document.contains("kind:"))
            .<HasMetadata>map(document -> YAML.unmarshal("---\n" + document))
            .filter(Rights::isAboutRights)
            .toList();
    List<String> bound = objects.stream().flatMap(Rights::role).toList();
    return new Rights(
        objects.stream()
            .filter(object -> !isRole(object) || bound.contains(object.getMetadata().getName()))
            .toList());
  }

  private static Stream<String> role(HasMetadata object) {
    return switch (object) {
      case RoleBinding binding -> Stream.of(binding.getRoleRef().getName());
      case ClusterRoleBinding binding -> Stream.of(binding.getRoleRef().getName());
      default -> Stream.empty();
    };
  }

  private static boolean isAboutRights(HasMetadata object) {
    return object instanceof ServiceAccount || isRole(object) || isBinding(object);
  }

  private static boolean isRole(HasMetadata object) {
    return object instanceof Role || object instanceof ClusterRole;
  }

  private static boolean isBinding(HasMetadata object) {
    return object instanceof RoleBinding || object instanceof ClusterRoleBinding;
  }

  List<ServiceAccount> accounts() {
    return objects.stream()
        .filter(ServiceAccount.class::isInstance)
        .map(ServiceAccount.class::cast)
        .toList();
  }

  /** What all roles together give, in the order of the manifest. */
  List<Grant> grants() {
    return Stream.concat(clusterWide().stream(), inNamespace().stream()).distinct().toList();
  }

  List<Grant> clusterWide() {
    return grants(ClusterRole.class, ClusterRole::getRules);
  }

  List<Grant> inNamespace() {
    return grants(Role.class, Role::getRules);
  }

  private <T> List<Grant> grants(Class<T> kind, Function<T, List<PolicyRule>> rules) {
    return objects.stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .flatMap(role -> rules.apply(role).stream())
        .flatMap(Grant::of)
        .toList();
  }

  /** The same for accounts in another namespace, with the grants that are wanted. */
  Rights in(String namespace, Predicate<Grant> wanted) {
    return new Rights(objects.stream().map(object -> moved(object, namespace, wanted)).toList());
  }

  /** What belongs to no namespace gets a name that ends with the namespace's. */
  private static HasMetadata moved(HasMetadata object, String namespace, Predicate<Grant> wanted) {
    return switch (object) {
      case ServiceAccount account ->
          new ServiceAccountBuilder(account)
              .editMetadata()
              .withNamespace(namespace)
              .endMetadata()
              .build();
      case Role role ->
          new RoleBuilder(role)
              .editMetadata()
              .withNamespace(namespace)
              .endMetadata()
              .withRules(only(wanted, role.getRules()))
              .build();
      case ClusterRole role ->
          new ClusterRoleBuilder(role)
              .editMetadata()
              .withName(role.getMetadata().getName() + "-" + namespace)
              .endMetadata()
              .withRules(only(wanted, role.getRules()))
              .build();
      case RoleBinding binding ->
          new RoleBindingBuilder(binding)
              .editMetadata()
              .withNamespace(namespace)
              .endMetadata()
              .editMatchingSubject(_ -> true)
              .withNamespace(namespace)
              .endSubject()
              .build();
      case ClusterRoleBinding binding ->
          new ClusterRoleBindingBuilder(binding)
              .editMetadata()
              .withName(binding.getMetadata().getName() + "-" + namespace)
              .endMetadata()
              .editRoleRef()
              .withName(binding.getRoleRef().getName() + "-" + namespace)
              .endRoleRef()
              .editMatchingSubject(_ -> true)
              .withNamespace(namespace)
              .endSubject()
              .build();
      default -> throw new IllegalStateException("no part of rights: " + object);
    };
  }

  private static List<PolicyRule> only(Predicate<Grant> wanted, List<PolicyRule> rules) {
    return rules.stream().flatMap(Grant::of).filter(wanted).map(Grant::rule).toList();
  }
}
