package io.gpureclaimer.reclaimer.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.time.ExpiringCache;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessControlTest {
  private static final ApiUser ALICE = new ApiUser("alice", "", List.of(), Map.of());
  private static final ObjectRef WEB = new ObjectRef("apps/v1", "Deployment", "ml", "web", "u");

  private final FakeReviews reviews = new FakeReviews().token("theirs", "alice");
  private long nanos;
  private final AccessControl access = new AccessControl(reviews, List.of(), () -> nanos);

  @Test
  void knowsThePersonOfAToken() {
    assertThat(access.authenticate("theirs")).map(ApiUser::name).hasValue("alice");
    assertThat(access.authenticate("other")).isEmpty();
  }

  @Test
  void showsOnlyNamespacesWhosePodsMayBeRead() {
    reviews.allow("alice", "get", "Pod", "ml");

    assertThat(access.maySeeAll(ALICE)).isFalse();
    assertThat(access.visible(ALICE, Set.of("ml", "secret")))
        .accepts("ml")
        .rejects("secret", "never-reviewed");
  }

  @Test
  void reviewsAgain_afterHalfAMinute() {
    reviews.allow("alice", "get", "Pod", "ml");
    assertThat(access.maySee(ALICE, "ml")).isTrue();
    reviews.revoke("alice");

    advance(AccessControl.KEPT_FOR.minusNanos(1));
    assertThat(access.maySee(ALICE, "ml")).isTrue();
    advance(Duration.ofNanos(1));

    assertThat(access.maySee(ALICE, "ml")).isFalse();
  }

  @Test
  void forgetsAnExpiredToken_afterHalfAMinute() {
    assertThat(access.authenticate("theirs")).isPresent();
    reviews.expire("theirs");
    advance(AccessControl.KEPT_FOR);

    assertThat(access.authenticate("theirs")).isEmpty();
  }

  @Test
  void reviewsEachChange() {
    reviews.allow("alice", "patch", "Deployment", "ml");
    assertThat(access.mayChange(ALICE, WEB)).isTrue();
    reviews.revoke("alice");

    assertThat(access.mayChange(ALICE, WEB)).isFalse();
  }

  @Test
  void groupsAreOfAPerson_soAnotherSessionWithOthersIsReviewedByItself() {
    reviews.allow("alice", "get", "Pod", "ml");
    access.maySee(ALICE, "ml");
    access.maySee(new ApiUser("alice", "", List.of("admins"), Map.of()), "ml");

    assertThat(reviews.reviewed()).hasSize(2);
  }

  @Test
  void doesNotRememberThatTheApiServerDidNotRespond() {
    reviews.allow("alice", "get", "Pod", "ml").down(true);
    assertThatThrownBy(() -> access.maySee(ALICE, "ml")).isInstanceOf(ClusterUnreachable.class);
    reviews.down(false);

    assertThat(access.maySee(ALICE, "ml")).isTrue();
  }

  @Test
  void aFloodOfTokensDoesNotFillTheMemory() {
    var cache = new ExpiringCache<Integer, Integer>(Duration.ofHours(1), 3, () -> nanos);
    for (int i = 0; i < 100; i++) {
      assertThat(cache.get(i, key -> key)).isEqualTo(i);
      assertThat(cache.size()).isBetween(1, 3);
    }
  }

  private void advance(Duration time) {
    nanos += time.toNanos();
  }
}
