package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.reclaimer.cluster.AccessReviews;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reviews of tokens and of access, one call each. Safe for use by several threads. */
final class ReviewApi implements AccessReviews {
  private static final String TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String ACCESS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  private final ApiServer api;
  private final Discovery discovery;

  ReviewApi(ApiServer api) {
    this.api = api;
    this.discovery = new Discovery(api);
  }

  @Override
  public Optional<ApiUser> authenticate(String token, List<String> audiences) {
    var review =
        new TokenReviewBuilder()
            .withNewSpec()
            .withToken(token)
            .withAudiences(audiences)
            .endSpec()
            .build();
    TokenReviewStatus status = create(TOKENS, review, TokenReview.class).getStatus();
    if (status == null
        || !Boolean.TRUE.equals(status.getAuthenticated())
        || !isFor(audiences, status)
        || status.getUser() == null
        || isEmpty(status.getUser().getUsername())) {
      return Optional.empty();
    }
    return Optional.of(
        new ApiUser(
            status.getUser().getUsername(),
            Optional.ofNullable(status.getUser().getUid()).orElse(""),
            Optional.ofNullable(status.getUser().getGroups()).orElse(List.of()),
            Optional.ofNullable(status.getUser().getExtra()).orElse(Map.of())));
  }

  /** An authenticator that does not know audiences names none, and has not compared them. */
  private static boolean isFor(List<String> audiences, TokenReviewStatus status) {
    return audiences.isEmpty()
        || (status.getAudiences() != null
            && !Collections.disjoint(audiences, status.getAudiences()));
  }

  @Override
  public boolean isAllowed(ApiUser person, String verb, ObjectRef object) {
    ResourceDefinitionContext kind =
        discovery.find(new ObjectKind(object.apiVersion(), object.kind()));
    var review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(person.name())
            .withUid(person.uid().isEmpty() ? null : person.uid())
            .withGroups(person.groups())
            .withExtra(person.extra())
            .withNewResourceAttributes()
            .withVerb(verb)
            .withGroup(kind.getGroup())
            .withVersion(kind.getVersion())
            .withResource(kind.getPlural())
            .withNamespace(object.namespace())
            .withName(object.name())
            .endResourceAttributes()
            .endSpec()
            .build();
    SubjectAccessReview answer = create(ACCESS, review, SubjectAccessReview.class);
    return answer.getStatus() != null
        && Boolean.TRUE.equals(answer.getStatus().getAllowed())
        && !Boolean.TRUE.equals(answer.getStatus().getDenied());
  }

  private <T> T create(String path, T review, Class<T> type) {
    ApiReply reply = api.post(path, review);
    if (!reply.ok()) {
      throw new ClusterUnreachable(
          "POST " + path, "expected a review, got " + reply.code() + ": " + api.message(reply));
    }
    return api.object(reply, type);
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }
}
