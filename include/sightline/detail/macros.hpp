// Macros for host and device code.
#pragma once

#if defined(__CUDACC__)
#define SIGHTLINE_HD __host__ __device__ inline
#elif defined(SIGHTLINE_ALWAYS_INLINE)
// For code that is compiled once per instruction set, where no function of these headers may exist
// out of line, since the linker would choose one for all; and for hot loops, which gain from it.
#define SIGHTLINE_HD [[gnu::always_inline]] inline
// After the parameters of a lambda in such code: inlines its body too.
#define SIGHTLINE_LAMBDA __attribute__((always_inline))
#else
#define SIGHTLINE_HD inline
#endif
#if !defined(SIGHTLINE_LAMBDA)
#define SIGHTLINE_LAMBDA
#endif

// For templates that few rays need: in device code a function of its own, so that the others do not
// hold its registers. Its parameters are values there, since what a reference names must be in
// memory; elsewhere they are references, since g++ copies values by rep movs.
#if defined(__CUDACC__)
#define SIGHTLINE_SELDOM __host__ __device__ __noinline__
#define SIGHTLINE_SELDOM_PARAMETER(Type) Type
#else
#define SIGHTLINE_SELDOM SIGHTLINE_HD
#define SIGHTLINE_SELDOM_PARAMETER(Type) const Type&
#endif

// For templates that are long and hardly ever run: a function of its own in every kind of code.
// Where no function of these headers may exist for the linker to choose, it is the unit's own.
#if defined(__CUDACC__)
#define SIGHTLINE_APART __host__ __device__ __noinline__
#elif defined(SIGHTLINE_ALWAYS_INLINE)
#define SIGHTLINE_APART [[gnu::noinline]] static
#else
#define SIGHTLINE_APART [[gnu::noinline]]
#endif

// For arithmetic of the library's interface, which every user compiles by flags of its own.
#define SIGHTLINE_USERS_OWN [[gnu::always_inline]] inline

// Before a template of host and device code that calls what it is given: the host may then give it
// a function of the host, and nvcc does not warn.
#if defined(__CUDACC__)
#define SIGHTLINE_CALLS_ANY _Pragma("nv_exec_check_disable")
#else
#define SIGHTLINE_CALLS_ANY
#endif
