package io.gpureclaimer.reclaimer.faults;

/** What the API server can do to one request. */
enum ApiFault {
  /** 401: the token is not accepted. */
  UNAUTHORIZED(401),
  /** 403: the role does not allow it. */
  FORBIDDEN(403),
  /** 404, although it is there: an aggregated layer that lost it. */
  NOT_FOUND(404),
  /** 409: it changed. */
  CONFLICT(409),
  /** 429 without a word on when to come back. */
  TOO_MANY(429),
  /** 429 with Retry-After. */
  TOO_MANY_RETRY_AFTER(429),
  /** 500. */
  INTERNAL_ERROR(500),
  /** The connection is cut before the request arrives. */
  CUT_BEFORE(0),
  /** The request is carried out, and its answer gets lost. */
  CUT_AFTER(0);

  private final int code;

  ApiFault(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
